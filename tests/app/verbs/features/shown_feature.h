#pragma once

#include "app/services/features/feature_table.h"
#include "tests/support/shared_data.h"
#include "tests/support/workbench.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

namespace tests {

/// A row of the feature table: its commands, run as a person pastes them one after the other into a shell at
/// the root of the sources, with --json where that shows more.
class ShownFeature {
public:
    /// What answers as text whatever is asked.
    enum class Form { Json, Text };

    explicit ShownFeature(std::string_view id, Form form = Form::Json) {
        std::filesystem::create_directory_symlink(projectRoot() / "projects", m_workbench.path("projects"));
        const auto table = app::featureTable();
        const auto row = std::ranges::find(table, id, &app::Feature::id);
        if (row == table.end())
            return;
        for (const std::string& command : row->commands) {
            const bool writesText = command.starts_with("new ") || command.starts_with("export ");
            const bool asks =
                form == Form::Json && !writesText && command.find("--json") == std::string::npos;
            m_answers.push_back(
                m_workbench.runLine(QString::fromStdString(command) + (asks ? " --json" : "")));
        }
    }

    /// Exit codes of the commands.
    [[nodiscard]] std::vector<int> codes() const {
        std::vector<int> codes;
        for (const Answer& answer : m_answers)
            codes.push_back(answer.code);
        return codes;
    }
    [[nodiscard]] const Answer& answer(std::size_t command) const { return m_answers[command]; }
    [[nodiscard]] core::Json json(std::size_t command) const { return m_answers[command].json(); }
    /// A number of a command's answer: at(0, "/stages/0/forward_cycles").
    [[nodiscard]] double at(std::size_t command, const char* pointer) const {
        return json(command).at(core::Json::json_pointer(pointer)).get<double>();
    }
    /// The losses of a run, one per weight update.
    [[nodiscard]] std::vector<double> losses(std::size_t command) const {
        return json(command).at("metrics").at("loss").get<std::vector<double>>();
    }
    [[nodiscard]] const Workbench& workbench() const { return m_workbench; }

private:
    Workbench m_workbench;
    std::vector<Answer> m_answers;
};

/// Exit codes in which a test is written.
using Codes = std::vector<int>;

} // namespace tests
