#pragma once

#include "core/interchange/templates/template_project.h"

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

/// Models and splits of the tests of the search.
using Ends = std::vector<std::size_t>;

/// A template without a dataset, one step per execution and no gradient accumulation.
inline core::Project projectOf(std::string_view name, const core::Json& arguments) {
    core::Project project = core::newProject(name, arguments, "bounded").value();
    project.training.dataset.reset();
    project.training.stepsPerEpoch.reset();
    project.training.stepsPerExecution = 1;
    project.pipeline.gradientAccumulationSteps.reset();
    return project;
}

/// Every way to cut a chain.
inline void forEachSplit(std::size_t layers, std::size_t stages,
                         const std::function<void(const Ends&)>& visit) {
    Ends ends;
    const std::function<void(std::size_t)> cut = [&](std::size_t begin) {
        if (ends.size() + 1 == stages) {
            ends.push_back(layers);
            visit(ends);
            ends.pop_back();
            return;
        }
        for (std::size_t end = begin + 1; end + (stages - ends.size() - 1) <= layers; ++end) {
            ends.push_back(end);
            cut(end);
            ends.pop_back();
        }
    };
    cut(0);
}
