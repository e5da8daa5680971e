#include "views/profile/run_chooser.h"

#include "views/common/access/box_name.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/icons.h"

#include <QSignalBlocker>
#include <algorithm>

namespace views {

QString runTitle(const core::RunRow& row) {
    QString title = QStringLiteral("Run #%1").arg(row.run.value());
    const QString mode =
        row.mode == core::RunMode::Train ? toQString(row.schedule) : toQString(core::toString(row.mode));
    return mode.isEmpty() ? title : title + QStringLiteral(" · ") + mode;
}

RunChooser::RunChooser(ProfileSource& source, Selection& selection, QWidget* parent)
    : QComboBox(parent)
    , m_source(source)
    , m_selection(selection) {
    nameBox(*this, tr("Run"));
    setToolTip(tr("The run that is shown"));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setMinimumContentsLength(16);
    connect(&source, &ProfileSource::changed, this, &RunChooser::reload);
    connect(this, &QComboBox::activated, this,
            [this](int index) { m_selection.selectRun(m_rows[static_cast<std::size_t>(index)].run); });
    connect(&selection, &Selection::changed, this, [this](const SelectionState& before) {
        const std::optional<core::RunId> run = m_selection.state().run;
        if (run == before.run)
            return;
        const bool isListed = !run || std::any_of(m_rows.begin(), m_rows.end(),
                                                  [&](const core::RunRow& row) { return row.run == *run; });
        // A run that has only just ended is not in the list yet.
        if (isListed)
            show(std::move(m_rows));
        else
            reload();
    });
    reload();
}

void RunChooser::reload() {
    m_trouble.clear();
    // A project that never ran has no file.
    std::error_code ignored;
    if (m_source.path().empty() || !std::filesystem::exists(m_source.path(), ignored)) {
        m_query.cancel();
        show({});
        emit listed();
        return;
    }
    m_query.request<std::vector<core::RunRow>>(
        m_source.path(), [](const core::ProfileDatabase& database) { return core::listRuns(database); },
        [this](core::Result<std::vector<core::RunRow>> answer) {
            std::vector<core::RunRow> rows;
            if (answer)
                rows = *std::move(answer);
            else
                m_trouble = answer.error();
            std::erase_if(rows,
                          [](const core::RunRow& row) { return row.state != core::RunState::Complete; });
            std::reverse(rows.begin(), rows.end());
            show(std::move(rows));
            emit listed();
        });
}

void RunChooser::show(std::vector<core::RunRow> rows) {
    const QSignalBlocker blocker(this);
    m_rows = std::move(rows);
    clear();
    for (const core::RunRow& row : m_rows)
        addItem(row.fits.value_or(true) ? icon(this, QStringLiteral("ok"), Role::Success)
                                        : icon(this, QStringLiteral("error"), Role::Error),
                runTitle(row));
    setEnabled(!m_rows.empty());
    if (m_rows.empty()) {
        setPlaceholderText(m_trouble.empty() ? tr("No run yet") : tr("Runs cannot be read"));
        return setCurrentIndex(-1);
    }
    const auto chosen = std::find_if(m_rows.begin(), m_rows.end(), [&](const core::RunRow& row) {
        return m_selection.state().run == row.run;
    });
    if (chosen != m_rows.end())
        return setCurrentIndex(static_cast<int>(chosen - m_rows.begin()));
    setCurrentIndex(0);
    m_selection.selectRun(m_rows.front().run);
}

} // namespace views
