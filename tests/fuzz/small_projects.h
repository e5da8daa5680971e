#pragma once

#include "core/interchange/project/project_file.h"
#include "core/model/graph/graph_structure.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// Projects that edits start from: a chain, a graph with a layer that is called twice, models inside models.
[[nodiscard]] inline const std::vector<core::Project>& smallProjects() {
    static const std::vector<core::Project> projects = [] {
        const auto dense = [](const std::string& name, const std::string& inputs) {
            return R"({"class_name": "Dense", "name": ")" + name + R"(", "config": {"name": ")" + name +
                   R"(", "units": 3}, "inbound_nodes": )" + inputs + "}";
        };
        const std::string input = R"({"class_name": "InputLayer", "name": "x", "config": {"name": "x",
            "batch_input_shape": [null, 3], "dtype": "float32"}, "inbound_nodes": []})";
        const std::string chain =
            R"({"class_name": "Sequential", "config": {"name": "chain", "layers": [
            {"class_name": "Dense", "config": {"name": "a", "units": 3, "batch_input_shape": [null, 3]}},
            {"class_name": "Activation", "config": {"name": "b", "activation": "relu"}},
            {"class_name": "Dense", "config": {"name": "c", "units": 2}}]}})";
        const std::string graph = R"({"class_name": "Functional", "config": {"name": "graph", "layers": [)" +
                                  input + "," + dense("a", R"([[["x", 0, 0, {}]], [["a", 0, 0, {}]]])") +
                                  R"(, {"class_name": "Add", "name": "sum", "config": {"name": "sum"},
                "inbound_nodes": [[["a", 0, 0, {}], ["a", 1, 0, {}]]]}],
            "input_layers": [["x", 0, 0]], "output_layers": [["sum", 0, 0]]}})";
        const std::string nested =
            R"({"class_name": "Functional", "config": {"name": "outer", "layers": [)" + input +
            R"(, {"class_name": "Sequential", "name": "inner", "config": {"name": "inner",
            "layers": [{"class_name": "Dense", "config": {"name": "d", "units": 3, "batch_input_shape": [null, 3]}},
            {"class_name": "Dropout", "config": {"name": "e", "rate": 0.5}}]},
            "inbound_nodes": [[["x", 0, 0, {}]]]}, )" +
            dense("last", R"([[["inner", 1, 0, {}]]])") +
            R"(], "input_layers": [["x", 0, 0]], "output_layers": [["last", 0, 0]]}})";
        std::vector<core::Project> made;
        for (const std::string& model : {chain, graph, nested}) {
            const auto file = core::readProject(
                R"({"format": "ipu-workbench-project", "version": 1, "name": "net", "model": )" + model + "}",
                "net.ipuproj");
            if (!file) {
                std::fputs(file.error().front().message.c_str(), stderr);
                std::abort();
            }
            made.push_back(file->project);
        }
        return made;
    }();
    return projects;
}

/// Whatever a person makes can be saved and opened again: the model keeps its invariants, and the file reads
/// back as the same project.
inline void mustReadBack(const core::Project& project) {
    for (const core::Diagnostic& broken : core::checkStructure(project.model)) {
        std::fprintf(stderr, "%s: %s\n", broken.code.c_str(), broken.message.c_str());
        std::abort();
    }
    const std::string text = core::writeProject(project);
    const auto again = core::readProject(text, "net.ipuproj");
    if (again && again->project == project)
        return;
    std::fprintf(stderr, "%s\n%s\n",
                 again ? "reads back as another project" : again.error().front().message.c_str(),
                 text.c_str());
    if (again)
        std::fprintf(stderr, "%s\n", core::writeProject(again->project).c_str());
    std::abort();
}
