#include "tests/views/common/component_board.h"

#include "views/common/text/number_text.h"
#include "views/common/theme/hatch.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"
#include "views/common/widgets/empty_view.h"
#include "views/common/widgets/gauge.h"
#include "views/common/widgets/notice_bar.h"
#include "views/common/widgets/segmented_control.h"
#include "views/common/widgets/table_style.h"
#include "views/common/widgets/tooltip_card.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolButton>
#include <functional>

namespace tests {

using namespace views;

namespace {

using Paint = std::function<void(QPainter&, const QRectF&, const Theme&)>;

class Painted final : public QWidget {
public:
    Painted(QSize size, Paint paint)
        : m_paint(std::move(paint)) {
        setMinimumSize(size);
    }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        m_paint(painter, rect(), views::themeOf(this));
    }

private:
    Paint m_paint;
};

QWidget* titled(const QString& title, QWidget* content) {
    auto* frame = new QFrame;
    frame->setProperty("surface", "card");
    auto* layout = new QVBoxLayout(frame);
    auto* label = new QLabel(title);
    label->setFont(views::themeOf(nullptr).font(12, QFont::DemiBold));
    layout->addWidget(label);
    layout->addWidget(content, 1);
    return frame;
}

QPushButton* button(const QString& text, const QString& kind, bool enabled = true) {
    auto* result = new QPushButton(text);
    result->setProperty("kind", kind);
    result->setEnabled(enabled);
    return result;
}

QWidget* buttons() {
    auto* widget = new QWidget;
    auto* layout = new QGridLayout(widget);
    auto* run = button("Run", "primary");
    run->setIcon(icon(run, "play", Role::OnAccent));
    layout->addWidget(run, 0, 0);
    layout->addWidget(button("Disabled", "primary", false), 0, 1);
    layout->addWidget(button("Delete", "danger"), 0, 2);
    layout->addWidget(button("Delete run", "danger-fill"), 0, 3);
    layout->addWidget(button("Default", ""), 1, 0);
    layout->addWidget(button("Disabled", "", false), 1, 1);
    layout->addWidget(button("Quiet", "quiet"), 1, 2);
    auto* segments = new SegmentedControl("unit");
    for (const char* text : {"time", "cycles", "% of step"})
        segments->addSegment(text);
    layout->addWidget(segments, 2, 0, 1, 3);
    auto* tool = new QToolButton;
    tool->setIcon(icon(tool, "undo"));
    layout->addWidget(tool, 2, 3);
    layout->addWidget(
        new Painted({340, 24},
                    [](QPainter& painter, const QRectF& rect, const Theme& theme) {
                        double x = 2;
                        const std::array<std::tuple<const char*, ChipTone, const char*>, 5> chips{
                            {{"chip", ChipTone::Neutral, ""},
                             {"filter", ChipTone::Accent, ""},
                             {"fits", ChipTone::Success, "ok"},
                             {"88 %", ChipTone::Warning, "warn"},
                             {"over limit", ChipTone::Error, "error"}}};
                        for (const auto& [text, tone, name] : chips) {
                            const bool removable = tone == ChipTone::Accent;
                            const double width = chipWidth(text, theme, *name != 0, removable);
                            paintChip(painter, QRectF(x, 3, width, 18), text, tone, theme, name, removable);
                            x += width + 6;
                        }
                        Q_UNUSED(rect);
                    }),
        3, 0, 1, 4);
    return widget;
}

QWidget* inputs() {
    auto* widget = new QWidget;
    auto* layout = new QGridLayout(widget);
    layout->addWidget(new QLineEdit("normal"), 0, 0);
    auto* wrong = new QLineEdit("12");
    wrong->setProperty("invalid", true);
    layout->addWidget(wrong, 0, 1);
    auto* disabled = new QLineEdit("disabled");
    disabled->setEnabled(false);
    layout->addWidget(disabled, 0, 2);
    auto* combo = new QComboBox;
    combo->addItems({"Grouped", "Interleaved"});
    layout->addWidget(combo, 1, 0);
    auto* spin = new QSpinBox;
    spin->setValue(8);
    layout->addWidget(spin, 1, 1);
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setValue(40);
    layout->addWidget(slider, 1, 2);
    auto* on = new QCheckBox("on");
    on->setChecked(true);
    auto* mixed = new QCheckBox("mixed");
    mixed->setCheckState(Qt::PartiallyChecked);
    auto* radio = new QRadioButton("choice");
    radio->setChecked(true);
    auto* row = new QHBoxLayout;
    for (QWidget* check : std::initializer_list<QWidget*>{on, new QCheckBox("off"), mixed, radio})
        row->addWidget(check);
    layout->addLayout(row, 2, 0, 1, 3);
    auto* progress = new QProgressBar;
    progress->setValue(55);
    progress->setTextVisible(false);
    layout->addWidget(progress, 3, 0, 1, 3);
    return widget;
}

QWidget* table() {
    auto* model = new QStandardItemModel(4, 4);
    model->setHorizontalHeaderLabels({"Layer", "Forward µs", "Change", "State"});
    const std::array<std::tuple<const char*, double, double>, 4> rows{{{"conv1_conv", 128, -0.6},
                                                                       {"conv3_block1_0_conv", 41, 0.3},
                                                                       {"conv4_block2_add", 9.2, 0.05},
                                                                       {"predictions", 17, -0.1}}};
    for (int row = 0; row < 4; ++row) {
        const auto& [name, time, change] = rows[std::size_t(row)];
        auto* layer = new QStandardItem(name);
        layer->setData(QVariant::fromValue(std::size_t(row)), StageRole);
        model->setItem(row, 0, layer);
        model->setItem(row, 1, new QStandardItem(fixedText(time, 1)));
        auto* bar = new QStandardItem;
        bar->setData(change, BarRole);
        bar->setData(change < 0, BetterRole);
        model->setItem(row, 2, bar);
        auto* chip = new QStandardItem(row == 1 ? "88 %" : "fits");
        chip->setData(int(row == 1 ? ChipTone::Warning : ChipTone::Success), ToneRole);
        model->setItem(row, 3, chip);
    }
    auto* view = new QTableView;
    model->setParent(view);
    styleTable(*view);
    view->setModel(model);
    view->setItemDelegateForColumn(1, new NumericDelegate(view));
    view->setItemDelegateForColumn(2, new BarDelegate(view));
    view->setItemDelegateForColumn(3, new ChipDelegate(view));
    view->setColumnWidth(0, 170);
    view->selectRow(1);
    view->setMinimumHeight(124);
    return view;
}

void paintSwatches(QPainter& painter, const QRectF&, const Theme& theme) {
    const QFont font = theme.font(10);
    for (std::size_t k = 0; k < 12; ++k) {
        const QRectF chip(4 + double(k % 6) * 90, 4 + double(k / 6) * 48, 80, 20);
        paintSwatch(painter, chip, theme.stage(k), theme.stageHatch(k), theme);
        paintStageChip(painter, QRectF(chip.left(), chip.bottom() + 4, 16, 16), k, theme);
        painter.setPen(theme.color(Role::Text2));
        painter.setFont(font);
        painter.drawText(QPointF(chip.left() + 22, chip.bottom() + 16), Theme::stageColorName(k));
        painter.fillRect(QRectF(chip.left() + 60, chip.bottom() + 6, 20, 12), theme.stageTint(k));
    }
    for (std::size_t i = 0; i < activityCount; ++i) {
        const auto activity = static_cast<Activity>(i);
        const QRectF rect(4 + double(i % 4) * 136, 104 + double(i / 4) * 26, 126, 20);
        painter.fillRect(rect, theme.activity(activity));
        fillHatch(painter, rect, theme.activityHatch(activity), hatchOn(theme.activity(activity), theme));
        painter.setPen(theme.activityOutline(activity));
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setPen(theme.color(Role::OnFill));
        painter.drawText(rect, Qt::AlignCenter, activityName(activity));
    }
    for (std::size_t i = 0; i < core::memoryCategoryCount; ++i) {
        const auto category = static_cast<core::MemoryCategory>(i);
        const QRectF rect(4 + double(i % 7) * 78, 160 + double(i / 7) * 34, 72, 16);
        painter.fillRect(rect, theme.category(category));
        painter.setPen(theme.color(Role::Text2));
        painter.drawText(QPointF(rect.left(), rect.bottom() + 12), toQString(core::toString(category)));
    }
    for (std::size_t i = 0; i < core::idleCauseCount; ++i) {
        const auto cause = static_cast<core::IdleCause>(i);
        const QRectF rect(4 + double(i) * 78, 232, 72, 18);
        painter.fillRect(rect, theme.idleFill(cause));
        fillHatch(painter, rect, Theme::idlePattern(cause), theme.idleHatch(cause));
    }
    for (int i = 0; i < 28; ++i)
        painter.fillRect(QRectF(4 + i * 19, 258, 18, 14), theme.tileHeat(i / 26.0));
}

void paintGauges(QPainter& painter, const QRectF&, const Theme& theme) {
    using core::MemoryCategory;
    const QColor weights = theme.category(MemoryCategory::Weights);
    const QColor activations = theme.category(MemoryCategory::Activations);
    const std::array<Gauge, 4> gauges{{
        {{{0.56, weights, HatchPattern::None, {}}}, 0.9, {}, GaugeRange{0.51, 0.59}},
        {{{0.3, weights, HatchPattern::None, {}}, {0.49, activations, HatchPattern::None, {}}}, 0.9, {}, {}},
        {{{0.96, theme.color(Role::Error), HatchPattern::None, {}}}, 0.9, {}, {}},
        {{{0.4, theme.activity(Activity::Backward), HatchPattern::None, {}},
          {0.2, theme.activity(Activity::Forward), HatchPattern::None, {}},
          {0.2, theme.activity(Activity::Recompute), theme.activityHatch(Activity::Recompute), {}}},
         {},
         0.88,
         {}},
    }};
    for (std::size_t i = 0; i < gauges.size(); ++i)
        paintGauge(painter, QRectF(8, 10 + double(i) * 24, 180, 9), gauges[i], theme);
    ToolTipContent tip{
        "Backward, micro-batch 3",
        {{"Stage, IPU", "1, R0·1"}, {"Duration", "1 064 µs"}, {"Cycles", groupedText(1415120)}},
        "Alt+click pins this"};
    const QSizeF size = toolTipSize(tip, 300, theme);
    paintToolTip(painter, QRectF(QPointF(210, 4), size), tip, theme);
}

void paintIcons(QPainter& painter, const QRectF& rect, const Theme& theme) {
    const QStringList names = iconNames();
    const int perRow = std::max(1, int(rect.width()) / 30);
    for (int i = 0; i < names.size(); ++i)
        paintIcon(painter, QRectF(8 + (i % perRow) * 30, 6 + int(i / perRow) * 28, 16, 16), names[i],
                  theme.color(Role::Text2));
}

QWidget* notices() {
    auto* widget = new QWidget;
    auto* layout = new QVBoxLayout(widget);
    auto* error = new NoticeBar;
    error->setMessage(ChipTone::Error, "<b>Stage 0 exceeds IPU 0 by 63.0 MiB.</b> The run goes on.");
    error->addButton("Repair…");
    auto* warning = new NoticeBar;
    warning->setMessage(ChipTone::Warning, "53 layers keep momentum 0.99");
    warning->addButton("Select all");
    auto* done = new NoticeBar;
    done->setMessage(ChipTone::Success, "Run #14 finished: 7 326 samples/s");
    done->addCloseButton();
    for (NoticeBar* notice : {error, warning, done})
        layout->addWidget(notice);
    return widget;
}

} // namespace

ComponentBoard::ComponentBoard(QWidget* parent)
    : QWidget(parent) {
    setAutoFillBackground(true);
    QPalette colors = palette();
    colors.setColor(QPalette::Window, views::themeOf(nullptr).color(Role::Window));
    setPalette(colors);
    auto* layout = new QGridLayout(this);
    layout->addWidget(titled("Buttons, segments, chips", buttons()), 0, 0);
    layout->addWidget(titled("Inputs", inputs()), 0, 1);
    layout->addWidget(titled("Table", table()), 0, 2);
    layout->addWidget(titled("Colours", new Painted({560, 280}, paintSwatches)), 1, 0, 2, 1);
    layout->addWidget(titled("Gauges, tooltip", new Painted({420, 110}, paintGauges)), 1, 1);
    auto* empty = new EmptyView;
    empty->setContent("memory", "No run yet", "The curve appears after a run.", "Run");
    empty->button()->setProperty("kind", "primary");
    layout->addWidget(titled("Empty view", empty), 1, 2);
    layout->addWidget(titled("Icons", new Painted({420, 110}, paintIcons)), 2, 1);
    layout->addWidget(titled("Notices", notices()), 2, 2);
}

void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
    if (!folder.isEmpty())
        widget.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
}

} // namespace tests
