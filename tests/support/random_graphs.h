#pragma once

#include "core/model/edit/graph_edit.h"
#include "core/model/graph/graph_structure.h"

#include <QtTest/QTest>
#include <random>
#include <string>

namespace tests {

/// Dense layers that read one of those before them, and sums of two, behind one input.
inline core::ModelGraph randomGraph(std::mt19937& random) {
    core::ModelGraph graph;
    graph.name = "m";
    graph = core::addInput(graph, {"InputLayer", "x", {{"batch_input_shape", {nullptr, 4}}}}).value();
    const std::size_t layers = 3 + random() % 8;
    for (std::size_t i = 0; i < layers; ++i) {
        const auto earlier = [&] {
            return core::TensorRef{core::InvocationId(random() % graph.invocations.size()), 0};
        };
        const std::string name = "d" + std::to_string(i);
        graph = random() % 3 == 0
                    ? core::addLayer(graph, {"Add", name}, {earlier(), earlier()}).value()
                    : core::addLayer(graph, {"Dense", name, {{"units", 4}}}, {earlier()}).value();
    }
    return graph;
}

/// Some layer behind the input.
inline core::LayerId someLayer(std::mt19937& random, const core::ModelGraph& graph) {
    return core::LayerId(1 + random() % (graph.layers.size() - 1));
}

/// `check` with sixty graphs, the same in every run; says the seed of the first that fails.
template <class Check>
void forRandomGraphs(Check check) {
    for (unsigned int seed = 1; seed <= 60 && !QTest::currentTestFailed(); ++seed) {
        std::mt19937 random(seed);
        const core::ModelGraph graph = randomGraph(random);
        QVERIFY(core::checkStructure(graph).empty());
        check(random, graph);
        if (QTest::currentTestFailed())
            qWarning("seed %u", seed);
    }
}

} // namespace tests
