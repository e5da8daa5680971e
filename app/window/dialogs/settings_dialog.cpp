#include "app/window/dialogs/settings_dialog.h"

#include "app/window/main_window.h"
#include "views/common/theme/active_theme.h"

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

SettingsDialog::SettingsDialog(MainWindow& window)
    : QDialog(&window) {
    setWindowTitle(tr("Settings"));
    setMinimumWidth(views::activeTheme().ipx(380));
    auto* layout = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    layout->addLayout(form);
    auto* theme = new QComboBox(this);
    theme->addItems({tr("As the system"), tr("Light"), tr("Dark"), tr("High contrast")});
    for (std::size_t i = 0; i < themes.size(); ++i) {
        if (window.appearance().choice() == QLatin1String(themes[i]))
            theme->setCurrentIndex(int(i));
    }
    connect(theme, &QComboBox::activated, this, [&window](int index) {
        window.appearance().choose(QString::fromLatin1(themes[std::size_t(index)]));
    });
    form->addRow(tr("Theme"), theme);
    auto* hatches = new QCheckBox(tr("Hatches on all stages and phases"), this);
    hatches->setChecked(window.appearance().forcesHatches());
    connect(hatches, &QCheckBox::toggled, this,
            [&window](bool isOn) { window.appearance().setForcesHatches(isOn); });
    form->addRow(QString(), hatches);
    auto* time = new QComboBox(this);
    time->addItems({tr("Time"), tr("Cycles"), tr("% of the step")});
    time->setCurrentIndex(int(window.document().units().time));
    auto* bytes = new QComboBox(this);
    bytes->addItems({tr("KiB, MiB, GiB"), tr("kB, MB, GB"), tr("Bytes")});
    bytes->setCurrentIndex(int(window.document().units().bytes));
    const auto chooseUnits = [&window, time, bytes] {
        window.setUnits({views::TimeUnit(time->currentIndex()), views::ByteUnit(bytes->currentIndex())});
    };
    connect(time, &QComboBox::activated, this, chooseUnits);
    connect(bytes, &QComboBox::activated, this, chooseUnits);
    form->addRow(tr("Time"), time);
    form->addRow(tr("Memory"), bytes);
    auto* reopen = new QCheckBox(tr("Open the last project at the start"), this);
    reopen->setChecked(window.settings().reopensLast());
    connect(reopen, &QCheckBox::toggled, this,
            [&window](bool isOn) { window.settings().setReopensLast(isOn); });
    form->addRow(QString(), reopen);
    auto* docks = new QPushButton(tr("Reset the docks of all workspaces"), this);
    connect(docks, &QPushButton::clicked, this, [&window] { window.workspaces().resetDocks(); });
    form->addRow(QString(), docks);
    auto* buttons = new QDialogButtonBox(this);
    QPushButton* done = buttons->addButton(tr("Done"), QDialogButtonBox::AcceptRole);
    done->setProperty("kind", "primary");
    connect(done, &QPushButton::clicked, this, &QDialog::accept);
    layout->addWidget(buttons);
}

} // namespace app
