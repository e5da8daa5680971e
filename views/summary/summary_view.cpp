#include "views/summary/summary_view.h"

#include "views/common/theme/widget_theme.h"
#include "views/document/view_intents.h"
#include "views/profile/verdict_strip.h"
#include "views/profile/view_bar.h"
#include "views/summary/summary_painter.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollArea>
#include <QToolButton>
#include <algorithm>

namespace views {

namespace {

/// Wider lines are hard to read, and figures too far from their names.
constexpr double widestPage = 2200;

} // namespace

/// The painted page. Arrows go from answer to answer, and up from the first one to the figures of the head;
/// Enter follows an answer, or explains a figure.
class SummaryView::Canvas final : public QWidget {
public:
    explicit Canvas(SummaryView* view)
        : m_view(*view) {
        setFocusPolicy(Qt::StrongFocus);
        setMouseTracking(true);
        setAccessibleName(SummaryView::tr("Summary of the run"));
    }

    SummaryScene scene;

    [[nodiscard]] SummaryPage page() const {
        const Theme& theme = themeOf(this);
        const double reserved =
            m_view.m_try->isHidden() ? 0 : m_view.m_try->sizeHint().width() + theme.px(12);
        return {scene, std::min(double(width()), theme.px(widestPage)), theme, reserved};
    }

    void place() {
        const SummaryPage shown = page();
        setMinimumHeight(static_cast<int>(shown.height()));
        if (!m_view.m_try->isHidden() && !shown.answers().empty()) {
            const QRectF rect = shown.answers().back();
            const QSize size = m_view.m_try->sizeHint();
            m_view.m_try->setGeometry(
                QRect(QPoint(static_cast<int>(rect.right()) - size.width() - themeOf(this).ipx(12),
                             static_cast<int>(rect.center().y()) - size.height() / 2),
                      size));
        }
        update();
    }

    void announce() {
        if (!scene.data || (!scene.focused && !scene.focusedFigure))
            return;
        if (scene.focused)
            setAccessibleDescription(questionText(scene, *scene.focused) + QStringLiteral(": ") +
                                     headlineText(scene, *scene.focused) + QStringLiteral(". ") +
                                     detailText(scene, *scene.focused));
        else if (const SummaryFigure figure = summaryFigures(scene)[*scene.focusedFigure]; true)
            setAccessibleDescription(
                figure.name + QStringLiteral(": ") + figure.value +
                (figure.range.isEmpty() ? QString() : QStringLiteral("; ") + figure.range));
        QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&changed);
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        QPainter painter(this);
        painter.fillRect(event->rect(), themeOf(this).color(Role::Canvas));
        paintSummary(painter, scene, page(), themeOf(this), event->rect());
    }
    void resizeEvent(QResizeEvent* /*event*/) override { place(); }
    void changeEvent(QEvent* event) override {
        QWidget::changeEvent(event);
        if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
            place();
    }
    void mouseMoveEvent(QMouseEvent* event) override {
        const auto answer = page().answerAt(event->position());
        const auto figure = page().figureAt(event->position());
        setCursor(answer || figure ? Qt::PointingHandCursor : Qt::ArrowCursor);
        setToolTip(figure ? SummaryView::tr("How this figure comes about") : QString());
        if (answer != scene.hovered || figure != scene.hoveredFigure) {
            scene.hovered = answer;
            scene.hoveredFigure = figure;
            update();
        }
    }
    void leaveEvent(QEvent* /*event*/) override {
        scene.hovered.reset();
        scene.hoveredFigure.reset();
        update();
    }
    void mouseReleaseEvent(QMouseEvent* event) override {
        if (event->button() != Qt::LeftButton)
            return;
        if (const auto answer = page().answerAt(event->position()))
            return m_view.follow(*answer);
        if (const auto figure = page().figureAt(event->position()))
            m_view.explain(*figure);
    }
    void focusOutEvent(QFocusEvent* /*event*/) override {
        scene.focused.reset();
        scene.focusedFigure.reset();
        update();
    }
    void focusInEvent(QFocusEvent* event) override {
        if (event->reason() != Qt::MouseFocusReason && scene.answers() > 0)
            focusAnswer(0);
    }
    void keyPressEvent(QKeyEvent* event) override {
        if (scene.answers() == 0)
            return QWidget::keyPressEvent(event);
        const std::size_t last = scene.answers() - 1;
        const std::size_t lastFigure = page().figures().size() - 1;
        switch (event->key()) {
        case Qt::Key_Right:
            if (scene.focusedFigure)
                return focusFigure(std::min(*scene.focusedFigure + 1, lastFigure));
            [[fallthrough]];
        case Qt::Key_Down:
            return focusAnswer(scene.focused ? std::min(*scene.focused + 1, last) : 0);
        case Qt::Key_Left:
            if (scene.focusedFigure)
                return focusFigure(*scene.focusedFigure > 0 ? *scene.focusedFigure - 1 : 0);
            [[fallthrough]];
        case Qt::Key_Up:
            if (scene.focused == std::size_t(0))
                return focusFigure(0);
            return scene.focused ? focusAnswer(*scene.focused - 1) : focusFigure(0);
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            if (scene.focused)
                m_view.follow(*scene.focused);
            else if (scene.focusedFigure)
                m_view.explain(*scene.focusedFigure);
            return;
        default:
            return QWidget::keyPressEvent(event);
        }
    }

private:
    void focusAnswer(std::size_t answer) {
        scene.focused = answer;
        scene.focusedFigure.reset();
        announce();
        update();
    }
    void focusFigure(std::size_t figure) {
        scene.focusedFigure = figure;
        scene.focused.reset();
        announce();
        update();
    }

    SummaryView& m_view;
};

SummaryView::SummaryView(Document& document, Selection& selection, ProfileSource& source,
                         ViewIntents& intents, QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent)
    , m_canvas(nullptr)
    , m_try(new QToolButton) {
    m_try->hide();
    m_canvas = new Canvas(this);
    m_try->setParent(m_canvas);
    m_try->setText(tr("Try"));
    m_try->setProperty("kind", "primary");
    m_try->setProperty("small", true);
    m_try->setAccessibleName(tr("Try the change"));
    m_try->setToolTip(tr("Makes the change, which can be undone, and runs the project again"));
    connect(m_try, &QToolButton::clicked, this, &SummaryView::tryAdvice);
    setPromise(
        QStringLiteral("explain"),
        tr("What sets the step, why IPUs wait, what fills the memory and what would help: on one page, "
           "after a run."));
    addRunChooser();
    bar().addStretch();
    addPictureExport(tr("Save the page, also as PDF to print"), [this] { return picture(); });
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_canvas);
    setContent(scroll);
    setFocusProxy(m_canvas);
    m_canvas->scene.units = document.units();
    reload();
}

const SummaryScene& SummaryView::scene() const {
    return m_canvas->scene;
}

QWidget& SummaryView::canvas() const {
    return *m_canvas;
}

SummaryPage SummaryView::page() const {
    return m_canvas->page();
}

std::optional<Picture> SummaryView::picture() const {
    if (!data())
        return std::nullopt;
    return summaryPicture(m_canvas->scene, themeOf(this));
}

SummaryView::Query SummaryView::query() const {
    const std::optional<core::RunId> run = chosenRun();
    if (!run)
        return {};
    return [run, units = document().units()](const core::ProfileDatabase& database) {
        return loadSummary(database, *run, units);
    };
}

void SummaryView::dataChanged() {
    m_canvas->scene.data = data();
    m_canvas->scene.hovered.reset();
    m_canvas->scene.hoveredFigure.reset();
}

void SummaryView::showData() {
    m_canvas->place();
}

/// Sentences hold figures, so the page is read again.
void SummaryView::setUnits(const Units& units) {
    const bool isOther = units != m_canvas->scene.units;
    m_canvas->scene.units = units;
    if (isOther)
        reload();
}

void SummaryView::setAdvice(std::optional<SummaryAdvice> advice, std::function<void()> apply) {
    m_apply = std::move(apply);
    m_canvas->scene.advice = std::move(advice);
    m_try->setVisible(m_apply != nullptr);
    m_canvas->place();
}

void SummaryView::follow(std::size_t answer) {
    if (!data())
        return;
    if (answer >= data()->verdict.clauses.size())
        return intents().showPanel(PanelId::Problems);
    followClause(data()->verdict.clauses[answer], data()->run, selection(), intents());
}

void SummaryView::explain(std::size_t figure) {
    if (data())
        intents().explainFigure(summaryFigures(scene())[figure].metric);
}

void SummaryView::tryAdvice() {
    if (!m_apply)
        return;
    const std::function<void()> apply = m_apply;
    apply();
    intents().run();
}

} // namespace views
