#include "views/common/theme/widget_theme.h"
#include "views/timeline/timeline_canvas.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <algorithm>
#include <cmath>
#include <utility>

// Marks and notes on the canvas.

namespace views {

namespace {

/// A note is within reach of what is this near to it.
constexpr double noteReach = 8;

/// Where a note is written: Enter and leaving it keep the text, Escape does not.
class NoteField final : public QLineEdit {
public:
    NoteField(QWidget* parent, std::function<void(std::optional<QString>)> done)
        : QLineEdit(parent)
        , m_done(std::move(done)) {}

protected:
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() == Qt::Key_Escape)
            return finish(std::nullopt);
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
            return finish(text());
        QLineEdit::keyPressEvent(event);
    }
    void focusOutEvent(QFocusEvent* event) override {
        QLineEdit::focusOutEvent(event);
        finish(text());
    }

private:
    void finish(const std::optional<QString>& written) {
        if (const auto done = std::exchange(m_done, nullptr)) {
            hide();
            deleteLater();
            done(written);
        }
    }

    std::function<void(std::optional<QString>)> m_done;
};

} // namespace

/// Where a key marks: at the mouse, on an edge of the span under it where that is near, else at the start of
/// what is selected.
core::Cycles TimelineCanvas::markPlace() const {
    if (!m_scene.layout.lanes().contains(m_mouse))
        return m_state.selected
                   ? m_state.selected->update * m_scene.frame->step + m_state.selected->span.start
                   : m_state.view.from;
    core::Cycles at = timeAt(m_mouse.x());
    if (const auto span = spanUnder(m_mouse)) {
        const core::Cycles start = span->update * m_scene.frame->step + span->span.start;
        const double reach = 6 / m_scene.axis().pixelsPerCycle();
        for (const core::Cycles edge : {start, start + span->span.duration})
            if (std::abs(static_cast<double>((edge - at).value())) <= reach)
                at = edge;
    }
    return at;
}

void TimelineCanvas::mark(bool isKept) {
    if (!isKept)
        std::erase_if(m_state.markers, [](const TimelineMarker& m) { return !m.isKept; });
    m_state.markers.push_back({markPlace(), isKept, {}});
    changeMarkers(isKept);
}

void TimelineCanvas::deleteMarker() {
    if (m_state.markers.empty())
        return;
    const core::Cycles at = timeAt(m_mouse.x());
    const auto distance = [&](const TimelineMarker& m) { return std::abs((m.at - at).value()); };
    const auto nearest =
        std::min_element(m_state.markers.begin(), m_state.markers.end(),
                         [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    const bool wasKept = nearest->isKept;
    m_state.markers.erase(nearest);
    changeMarkers(wasKept);
}

void TimelineCanvas::changeMarkers(bool areNotes) {
    invalidate();
    emit markersChanged();
    if (areNotes)
        emit notesEdited();
}

std::vector<core::NoteRecord> TimelineCanvas::notes() const {
    std::vector<core::NoteRecord> notes;
    for (const TimelineMarker& marker : m_state.markers)
        if (marker.isKept)
            notes.push_back({marker.at, marker.text});
    std::ranges::stable_sort(notes, {}, &core::NoteRecord::at);
    return notes;
}

void TimelineCanvas::setNotes(const std::vector<core::NoteRecord>& notes) {
    std::erase_if(m_state.markers, [](const TimelineMarker& m) { return m.isKept; });
    for (const core::NoteRecord& note : notes)
        m_state.markers.push_back({note.at, true, note.text});
    changeMarkers(false);
}

std::optional<core::Cycles> TimelineCanvas::markerNear(core::Cycles at) const {
    const double reach = noteReach / m_scene.axis().pixelsPerCycle();
    for (const TimelineMarker& marker : m_state.markers)
        if (std::abs(static_cast<double>((marker.at - at).value())) <= reach)
            return marker.at;
    return std::nullopt;
}

void TimelineCanvas::writeNote(core::Cycles place) {
    const core::Cycles at = markerNear(place).value_or(place);
    const auto markerAt = [this, at] { return std::ranges::find(m_state.markers, at, &TimelineMarker::at); };
    const bool isNew = markerAt() == m_state.markers.end();
    if (isNew) {
        m_state.markers.push_back({at, true, {}});
        changeMarkers(false);
    }
    auto* field = new NoteField(this, [this, markerAt, at, isNew](const std::optional<QString>& text) {
        setFocus(Qt::OtherFocusReason);
        auto marker = markerAt();
        if (!text) {
            if (isNew && marker != m_state.markers.end()) {
                m_state.markers.erase(marker);
                changeMarkers(false);
            }
            return;
        }
        // The notes may have been read anew while one wrote.
        if (marker == m_state.markers.end())
            marker = m_state.markers.insert(marker, TimelineMarker{at, false, {}});
        const std::string written = text->trimmed().toStdString();
        if (!isNew && marker->isKept && written == marker->text)
            return;
        marker->text = written;
        marker->isKept = true;
        changeMarkers(true);
    });
    const Theme& theme = themeOf(this);
    field->setAccessibleName(tr("Note"));
    field->setPlaceholderText(tr("What is here"));
    // Each takes three bytes at most, so that it is shorter than what a run keeps.
    field->setMaxLength(500);
    field->setText(QString::fromStdString(markerAt()->text));
    const QSize size(theme.ipx(240), theme.ipx(26));
    const int x =
        std::clamp(int(m_scene.axis().x(at)) + theme.ipx(4), 0, std::max(0, width() - size.width()));
    field->setGeometry(QRect(QPoint(x, height() - size.height() - theme.ipx(4)), size));
    field->show();
    field->selectAll();
    field->setFocus(Qt::OtherFocusReason);
}

void TimelineCanvas::showTime(core::Cycles at) {
    setView(centred(m_state.view, at, at));
}

/// Into the part of a span that was looked for.
void TimelineCanvas::showPiece(const PlacedSpan& span, core::Cycles from, core::Cycles to,
                               const std::optional<SelectedPiece>& piece) {
    select(span, true, false, piece);
    const core::Cycles offset = span.update * m_scene.frame->step;
    const core::Cycles length = std::max(to - from, core::Cycles(1));
    setView(fitted(m_state.view, offset + from - 2 * length, offset + to + 2 * length));
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (isReady() && event->button() == Qt::LeftButton)
        if (const auto at = markerNear(timeAt(event->position().x())))
            return writeNote(*at);
    QWidget::mouseDoubleClickEvent(event);
}

void TimelineCanvas::setHidden(std::set<std::size_t> ipus) {
    if (ipus == m_state.hidden)
        return;
    m_state.hidden = std::move(ipus);
    layOutAgain();
    emit viewChanged();
}

} // namespace views
