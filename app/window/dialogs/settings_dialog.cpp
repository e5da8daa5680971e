#include "app/window/dialogs/settings_dialog.h"

#include "app/window/frame/appearance.h"
#include "app/window/frame/window_settings.h"
#include "app/window/frame/workspaces.h"
#include "views/common/theme/widget_theme.h"
#include "views/document/document.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace app {

namespace {

constexpr std::array themes{"system", "light", "dark", "high-contrast"};

} // namespace

SettingsDialog::SettingsDialog(Appearance& appearance, WindowSettings& settings, views::Document& document,
                               Workspaces& workspaces, QWidget* parent)
    : QDialog(parent) {
    setWindowTitle(tr("Settings"));
    setMinimumWidth(views::themeOf(this).ipx(380));
    auto* layout = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    layout->addLayout(form);
    auto* theme = new QComboBox(this);
    theme->addItems({tr("As the system"), tr("Light"), tr("Dark"), tr("High contrast")});
    for (std::size_t i = 0; i < themes.size(); ++i) {
        if (appearance.choice() == QLatin1String(themes[i]))
            theme->setCurrentIndex(int(i));
    }
    connect(theme, &QComboBox::activated, this,
            [&appearance](int index) { appearance.choose(QString::fromLatin1(themes[std::size_t(index)])); });
    form->addRow(tr("Theme"), theme);
    auto* hatches = new QCheckBox(tr("Hatches on all stages and phases"), this);
    hatches->setChecked(appearance.forcesHatches());
    connect(hatches, &QCheckBox::toggled, this,
            [&appearance](bool isOn) { appearance.setForcesHatches(isOn); });
    form->addRow(QString(), hatches);
    auto* time = new QComboBox(this);
    time->addItems({tr("Time"), tr("Cycles"), tr("% of the step")});
    time->setCurrentIndex(int(document.units().time));
    auto* bytes = new QComboBox(this);
    bytes->addItems({tr("KiB, MiB, GiB"), tr("kB, MB, GB"), tr("Bytes")});
    bytes->setCurrentIndex(int(document.units().bytes));
    const auto chooseUnits = [&document, time, bytes] {
        document.setUnits({views::TimeUnit(time->currentIndex()), views::ByteUnit(bytes->currentIndex())});
    };
    connect(time, &QComboBox::activated, this, chooseUnits);
    connect(bytes, &QComboBox::activated, this, chooseUnits);
    form->addRow(tr("Time"), time);
    form->addRow(tr("Memory"), bytes);
    auto* reopen = new QCheckBox(tr("Open the last project at the start"), this);
    reopen->setChecked(settings.reopensLast());
    connect(reopen, &QCheckBox::toggled, this, [&settings](bool isOn) { settings.setReopensLast(isOn); });
    form->addRow(QString(), reopen);
    auto* docks = new QPushButton(tr("Reset the docks of all workspaces"), this);
    connect(docks, &QPushButton::clicked, this, [&workspaces] { workspaces.resetDocks(); });
    form->addRow(QString(), docks);
    auto* buttons = new QDialogButtonBox(this);
    QPushButton* done = buttons->addButton(tr("Done"), QDialogButtonBox::AcceptRole);
    done->setProperty("kind", "primary");
    connect(done, &QPushButton::clicked, this, &QDialog::accept);
    layout->addWidget(buttons);
}

} // namespace app
