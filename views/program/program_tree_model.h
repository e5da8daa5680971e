#pragma once

#include "views/document/selection.h"
#include "views/program/program_data.h"

#include <QAbstractItemModel>
#include <memory>
#include <vector>

namespace views {

/// The program tree for a tree view: what a step is, how often, how long, on which stage.
class ProgramTreeModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { StepColumn, CountColumn, TimeColumn, ShareColumn, BytesColumn, columnCountValue };

    using QAbstractItemModel::QAbstractItemModel;

    void setProgram(std::shared_ptr<const ProgramData> program, const Units& units);
    /// Null for an index outside.
    [[nodiscard]] const core::ProgramStepRecord* step(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(core::ProgramStepId step) const;
    /// The step that a place in a stage program is in; invalid where none is known.
    [[nodiscard]] QModelIndex indexOf(const TimeCursor& place) const;
    /// Stands out; invalid: none.
    void setPointed(const QModelIndex& index);
    /// The first step of an operation.
    [[nodiscard]] QModelIndex indexOf(core::OperationId operation) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// The widest text of a column of numbers, header included: as wide must it be.
    [[nodiscard]] QString widestText(int column) const;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    [[nodiscard]] QString text(std::size_t step, int column) const;
    /// What Poplar calls the step; the time of each IPU.
    [[nodiscard]] QString tip(std::size_t step, int column) const;
    [[nodiscard]] std::size_t stepOf(const QModelIndex& index) const;

    std::shared_ptr<const ProgramData> m_program;
    Units m_units;
    std::vector<StepTime> m_times;
    UnitChoice m_timeUnit;
    UnitChoice m_byteUnit;
    std::vector<std::size_t> m_roots;
    std::vector<std::vector<std::size_t>> m_children;
    std::size_t m_pointed = none;
    /// Place of a step among its parent's children.
    std::vector<int> m_rows;
};

} // namespace views
