#pragma once

#include "core/profile/queries/run_queries.h"
#include "views/document/selection.h"
#include "views/profile/profile_query.h"
#include "views/profile/profile_source.h"

#include <QComboBox>
#include <vector>

namespace views {

/// Chooses the run that every view of a run shows (Selection::run): complete runs, newest first. Chooses the
/// newest by itself when none is chosen.
class RunChooser final : public QComboBox {
    Q_OBJECT

public:
    RunChooser(ProfileSource& source, Selection& selection, QWidget* parent = nullptr);

    [[nodiscard]] const std::vector<core::RunRow>& rows() const { return m_rows; }
    /// Why the runs cannot be listed: a file that is damaged, or of a newer program.
    [[nodiscard]] const core::Diagnostics& trouble() const { return m_trouble; }

signals:
    /// The list is here (it may be empty).
    void listed();

private:
    void reload();
    void show(std::vector<core::RunRow> rows);

    ProfileSource& m_source;
    Selection& m_selection;
    std::vector<core::RunRow> m_rows;
    core::Diagnostics m_trouble;
    ProfileQuery m_query;
};

/// "Run #14 · Grouped".
[[nodiscard]] QString runTitle(const core::RunRow& row);

} // namespace views
