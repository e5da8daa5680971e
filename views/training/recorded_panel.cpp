#include "views/training/recorded_panel.h"

#include "views/common/access/box_name.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/widget_theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace views {

class RecordedPanel::Canvas final : public QWidget {
public:
    Canvas(const RecordedPanel& panel, QWidget* parent)
        : QWidget(parent)
        , m_panel(panel) {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        const Theme& theme = themeOf(this);
        painter.fillRect(rect(), theme.color(Role::Canvas));
        const double margin = theme.px(16);
        m_panel.paint(painter, QRectF(rect()).adjusted(margin, margin, -margin, -margin));
    }

private:
    const RecordedPanel& m_panel;
};

RecordedPanel::RecordedPanel(QWidget* parent)
    : QWidget(parent)
    , m_subjects(new QComboBox(this))
    , m_epochs(new QComboBox(this))
    , m_canvas(new Canvas(*this, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* choices = new QHBoxLayout;
    choices->setContentsMargins(12, 6, 12, 6);
    choices->addWidget(m_subjects);
    choices->addWidget(m_epochs);
    choices->addStretch(1);
    column->addLayout(choices);
    column->addWidget(m_canvas, 1);
    m_subjects->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_epochs->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    nameBox(*m_epochs, tr("Epoch"));
    connect(m_subjects, &QComboBox::currentIndexChanged, this, [this] {
        fillEpochs();
        m_canvas->update();
    });
    connect(m_epochs, &QComboBox::currentIndexChanged, m_canvas, qOverload<>(&QWidget::update));
}

void RecordedPanel::setRecorded(std::shared_ptr<const RecordedTraining> recorded) {
    m_recorded = std::move(recorded);
    m_tensors = m_recorded ? recordedTensors(*m_recorded) : std::vector<RecordedTensor>();
    fillSubjects();
}

void RecordedPanel::setKind(Kind kind) {
    m_kind = kind;
    fillSubjects();
}

bool RecordedPanel::has(Kind kind) const {
    if (!m_recorded)
        return false;
    return kind == Kind::Confusion ? !m_recorded->confusion.empty()
           : kind == Kind::Tensors ? !m_recorded->tensors.empty()
                                   : !m_recorded->predictions.empty();
}

void RecordedPanel::fillSubjects() {
    const QString before = m_subjects->currentText();
    {
        const QSignalBlocker quiet(m_subjects);
        m_subjects->clear();
        nameBox(*m_subjects, m_kind == Kind::Tensors ? tr("Tensor") : tr("Output"));
        if (m_kind == Kind::Tensors)
            for (const RecordedTensor& tensor : m_tensors)
                m_subjects->addItem(tensor.kind == core::TrainedTensorKind::Weight
                                        ? toQString(tensor.name)
                                        : tr("gradient of %1").arg(toQString(tensor.name)));
        else if (m_recorded)
            for (const std::string& name :
                 m_kind == Kind::Confusion ? confusedOutputs(*m_recorded) : predictedOutputs(*m_recorded))
                m_subjects->addItem(toQString(name));
        m_subjects->setCurrentIndex(std::max(0, m_subjects->findText(before)));
    }
    fillEpochs();
    m_canvas->setAccessibleName(m_kind == Kind::Confusion ? tr("Confusion matrix")
                                : m_kind == Kind::Tensors ? tr("Histograms over weight updates")
                                                          : tr("Predictions of samples"));
    m_canvas->update();
}

void RecordedPanel::fillEpochs() {
    const QSignalBlocker quiet(m_epochs);
    m_epochs->clear();
    m_epochs->setVisible(m_kind != Kind::Tensors);
    if (!m_recorded || m_kind == Kind::Tensors)
        return;
    for (const std::int64_t epoch : m_kind == Kind::Confusion ? confusedEpochs(*m_recorded, output())
                                                              : predictedEpochs(*m_recorded, output()))
        m_epochs->addItem(tr("epoch %1").arg(epoch + 1), QVariant::fromValue<qlonglong>(epoch));
    m_epochs->setCurrentIndex(m_epochs->count() - 1);
}

std::string RecordedPanel::output() const {
    return m_subjects->currentText().toStdString();
}

std::int64_t RecordedPanel::epoch() const {
    return m_epochs->currentData().toLongLong();
}

Picture RecordedPanel::picture() const {
    const QSizeF size = m_canvas->size();
    return {m_canvas->accessibleName(), size, [this, size](QPainter& painter) {
                const Theme& theme = themeOf(this);
                const QRectF all(QPointF(0, 0), size);
                painter.fillRect(all, theme.color(Role::Canvas));
                const double margin = theme.px(16);
                paint(painter, all.adjusted(margin, margin, -margin, -margin));
            }};
}

void RecordedPanel::paint(QPainter& painter, const QRectF& rect) const {
    const Theme& theme = themeOf(this);
    if (!has(m_kind))
        return;
    if (m_kind == Kind::Confusion)
        return paintConfusion(painter, rect, confusionOf(*m_recorded, output(), epoch()), theme);
    if (m_kind == Kind::Samples)
        return paintSamples(painter, rect, sampleCards(*m_recorded, output(), epoch()), theme);
    const auto tensor = static_cast<std::size_t>(m_subjects->currentIndex());
    if (tensor < m_tensors.size())
        paintHistograms(painter, rect, m_tensors[tensor], theme);
}

} // namespace views
