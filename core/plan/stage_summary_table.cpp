#include "core/plan/stage_summary_table.h"

#include "core/plan/assignment_entries.h"

#include <fmt/format.h>
#include <vector>

namespace core {

namespace {

/// What differs between the tables of the two kinds of model. Source: print_pipeline_stage_assignment_summary
/// of the Keras extensions.
struct TableLayout {
    std::size_t width;
    std::vector<std::string> headers;
    /// Where the columns end, as shares of the width.
    std::vector<double> columnEnds;
    bool showsInputs;
};

TableLayout layoutOf(ModelKind kind) {
    if (kind == ModelKind::Sequential)
        return {60, {"Layer (type)", "Pipeline Stage"}, {0.5, 1.0}, false};
    return {89, {"Layer (type) (node index)", "Input Layers", "Pipeline Stage"}, {0.4, 0.8, 1.0}, true};
}

/// Code points, so that a column is as wide as it looks for most names.
std::size_t lengthOf(const std::string& text) {
    std::size_t count = 0;
    for (const char c : text)
        count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    return count;
}

/// The first `count` code points.
std::string shortened(const std::string& text, std::size_t count) {
    std::size_t bytes = 0;
    for (std::size_t seen = 0; bytes < text.size(); ++bytes) {
        seen += (static_cast<unsigned char>(text[bytes]) & 0xC0U) != 0x80U ? 1 : 0;
        if (seen > count)
            break;
    }
    return text.substr(0, bytes);
}

class TableWriter {
public:
    TableWriter(const StageAssignment& assignment, TableLayout layout)
        : m_assignment(assignment)
        , m_layout(std::move(layout)) {}

    std::string write(const ModelGraph& model) {
        addLine(fmt::format("Model: \"{}\"", model.name));
        addRule('_');
        addRow(m_layout.headers);
        addRule('=');
        addEntries(assignmentEntries(model));
        return m_text;
    }

private:
    void addEntries(const std::vector<AssignmentEntry>& entries) {
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (entries[i].isNestedModel) {
                addLine(fmt::format("Nested Model: \"{}\"", entries[i].name));
                addRule('-');
                addEntries(entries[i].entries);
            } else {
                addEntry(entries[i]);
                addRule(i + 1 == entries.size() || entries[i + 1].isNestedModel ? '=' : '_');
            }
        }
    }

    void addEntry(const AssignmentEntry& entry) {
        const std::string stage = stageText(entry);
        if (!m_layout.showsInputs) {
            addRow({fmt::format("{} ({})", entry.name, entry.className), stage});
            return;
        }
        addRow({fmt::format("{} ({}) ({})", entry.name, entry.className, entry.call),
                entry.inputs.empty() ? "" : entry.inputs.front(), stage});
        for (std::size_t i = 1; i < entry.inputs.size(); ++i)
            addRow({"", entry.inputs[i], ""});
    }

    [[nodiscard]] std::string stageText(const AssignmentEntry& entry) const {
        const bool isSet =
            entry.index < m_assignment.stages.size() && m_assignment.stages[entry.index].isValid();
        return isSet ? std::to_string(m_assignment.stages[entry.index].index()) : "None";
    }

    void addRow(const std::vector<std::string>& fields) {
        std::string line;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const auto end =
                static_cast<std::size_t>(static_cast<double>(m_layout.width) * m_layout.columnEnds[i]);
            if (i > 0 && !line.empty())
                line = shortened(line, lengthOf(line) - 1) + " ";
            line = shortened(line + fields[i], end);
            line.append(end - lengthOf(line), ' ');
        }
        addLine(line);
    }

    void addRule(char mark) { addLine(std::string(m_layout.width, mark)); }
    void addLine(const std::string& line) { m_text += line + "\n"; }

    const StageAssignment& m_assignment;
    TableLayout m_layout;
    std::string m_text;
};

} // namespace

std::string stageSummaryTable(const ModelGraph& model, const StageAssignment& assignment, std::size_t width) {
    TableLayout layout = layoutOf(model.kind);
    if (width != 0)
        layout.width = width;
    return TableWriter(assignment, std::move(layout)).write(model);
}

} // namespace core
