#include "views/predictions/predictions_view.h"

#include "views/common/access/box_name.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/profile/run_chooser.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/view_bar.h"

#include <QComboBox>
#include <QPainter>
#include <QSplitter>

namespace views {

/// The chosen sample, painted.
class PredictionsView::Sample final : public QWidget {
public:
    explicit Sample(PredictionsView& view)
        : QWidget(&view)
        , m_view(view) {
        setMinimumWidth(themeOf(this).ipx(160));
        setAccessibleName(PredictionsView::tr("The chosen sample"));
    }

    std::size_t sample = 0;

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        if (!m_view.hasData())
            return;
        QPainter painter(this);
        const Theme& theme = themeOf(this);
        const double margin = theme.px(8);
        paintPrediction(painter, QRectF(rect()).adjusted(margin, margin, -margin, -margin), m_view.output(),
                        sample, theme);
    }

private:
    PredictionsView& m_view;
};

PredictionsView::PredictionsView(Document& document, Selection& selection, ProfileSource& source,
                                 ViewIntents& intents, QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent)
    , m_outputs(new QComboBox)
    , m_table(new TablePanel(tr("Predictions"), this))
    , m_sample(new Sample(*this)) {
    setAccessibleName(tr("Predictions"));
    addRunChooser();
    nameBox(*m_outputs, tr("Output of the model"));
    m_outputs->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    bar().add(m_outputs, 1);
    addTableExport(tr("Save the table"), QStringLiteral("predictions"), *m_table);
    QSplitter* parts = makeSplitter(Qt::Horizontal, this);
    parts->addWidget(m_table);
    parts->addWidget(m_sample);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 1);
    setContent(parts);
    setPromise(QStringLiteral("data"),
               tr("What a run in mode predict computes: a class, a vector or an image of each sample."));
    connect(m_outputs, &QComboBox::currentIndexChanged, this, [this] {
        if (hasData())
            showData();
    });
    connect(m_table, &TablePanel::rowChosen, this, [this](int row) {
        m_sample->sample = std::size_t(std::max(0, row));
        m_sample->update();
    });
    reload();
}

PredictionsView::Query PredictionsView::query() const {
    const std::optional<core::RunId> run = chosenRun();
    if (!run)
        return {};
    return [run = *run](const core::ProfileDatabase& database) { return loadPredictions(database, run); };
}

void PredictionsView::dataChanged() {
    const QSignalBlocker blocker(m_outputs);
    const QString before = m_outputs->currentData().toString();
    m_outputs->clear();
    if (!hasData())
        return;
    for (const PredictedOutput& one : *data()) {
        QStringList extents;
        for (const std::int64_t extent : one.record.shape)
            extents << QString::number(extent);
        const std::int64_t samples = one.record.shape.empty() ? 0 : one.record.shape.front();
        const QString stored =
            one.record.storedSamples < samples
                ? tr(", the first %1 samples are stored").arg(groupedText(one.record.storedSamples))
                : QString();
        m_outputs->addItem(QStringLiteral("%1: %2 (%3)%4")
                               .arg(toQString(one.record.output), toQString(one.record.type),
                                    extents.join(QStringLiteral(", ")), stored),
                           toQString(one.record.output));
    }
    m_outputs->setCurrentIndex(std::max(0, m_outputs->findData(before)));
}

void PredictionsView::showData() {
    m_table->setContent(predictionTable(output()));
    m_sample->sample = 0;
    m_table->setCurrentRow(output().samples() > 0 ? 0 : -1);
    m_sample->update();
}

void PredictionsView::clearData() {
    m_table->setContent({});
}

const PredictedOutput& PredictionsView::output() const {
    return (*data())[std::size_t(std::clamp(m_outputs->currentIndex(), 0, int(data()->size()) - 1))];
}

void PredictionsView::explainNoData(EmptyView& view) const {
    if (data() == nullptr)
        return ProfileView::explainNoData(view);
    view.setContent(
        QStringLiteral("data"), tr("This run predicts nothing"),
        tr("Runs in mode predict keep what the model computes; so do evaluations with --predictions."));
}

} // namespace views
