#include "core/plan/shard_stages.h"

#include "core/interchange/keras/keras_json.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

#include <fmt/format.h>

using core::ShardStages;
using core::StageId;

namespace {

/// Keras' JSON of a Functional model; each layer is "name <- input input …", the first one the input.
core::ModelGraph model(const std::vector<std::pair<std::string, std::vector<std::string>>>& layers) {
    std::string text = R"({"class_name": "InputLayer", "name": "in", "inbound_nodes": [],
        "config": {"name": "in", "batch_input_shape": [null, 4], "dtype": "float32"}})";
    for (const auto& [name, inputs] : layers) {
        std::string from;
        for (const std::string& input : inputs)
            from += fmt::format(R"({}["{}", 0, 0, {{}}])", from.empty() ? "" : ", ", input);
        text += inputs.size() == 1
                    ? fmt::format(R"(, {{"class_name": "Dense", "name": "{0}",
                        "config": {{"name": "{0}", "units": 4}}, "inbound_nodes": [[{1}]]}})",
                                  name, from)
                    : fmt::format(R"(, {{"class_name": "Add", "name": "{0}", "config": {{"name": "{0}"}},
                        "inbound_nodes": [[{1}]]}})",
                                  name, from);
    }
    core::Diagnostics warnings;
    return core::readKerasModelText(fmt::format(R"({{"class_name": "Functional", "config": {{"name": "m",
        "layers": [{}], "input_layers": [["in", 0, 0]], "output_layers": [["{}", 0, 0]]}}}})",
                                                text, layers.back().first),
                                    "", warnings)
        .value();
}

core::ModelGraph chain() {
    return model({{"a", {"in"}}, {"b", {"a"}}, {"c", {"b"}}, {"d", {"c"}}});
}

/// a goes past b and c to the sum.
core::ModelGraph shortcut() {
    return model({{"a", {"in"}}, {"b", {"a"}}, {"c", {"b"}}, {"sum", {"c", "a"}}, {"out", {"sum"}}});
}

std::vector<StageId> ids(std::initializer_list<std::size_t> numbers) {
    std::vector<StageId> list;
    for (const std::size_t number : numbers)
        list.emplace_back(number);
    return list;
}

/// Stages of the assignable calls, as numbers, and the IPUs of the stages.
std::pair<std::vector<std::size_t>, std::vector<std::size_t>> cut(const core::ModelGraph& graph,
                                                                  std::initializer_list<std::size_t> shards) {
    const core::FlattenedModel flattened = core::flattenModel(graph).value();
    const ShardStages result = core::shardStages(flattened, ids(shards));
    std::pair<std::vector<std::size_t>, std::vector<std::size_t>> numbers;
    for (const core::InvocationId call : flattened.assignable())
        numbers.first.push_back(result.stageOf[call.index()].index());
    for (const core::IpuId ipu : result.ipus)
        numbers.second.push_back(ipu.index());
    return numbers;
}

using Numbers = std::vector<std::size_t>;

} // namespace

class ShardStagesTest : public QObject {
    Q_OBJECT

private slots:
    void aChainIsCutWhereItsShardChanges() {
        QCOMPARE(cut(chain(), {0, 0, 1, 1}), std::pair(Numbers({0, 0, 1, 1}), Numbers({0, 1})));
        QCOMPARE(cut(chain(), {2, 2, 2, 2}), std::pair(Numbers({0, 0, 0, 0}), Numbers({2})));
        // There and back again: three steps on two IPUs.
        QCOMPARE(cut(chain(), {0, 1, 1, 0}), std::pair(Numbers({0, 1, 1, 2}), Numbers({0, 1, 0})));
    }

    void branchesShareTheStepsOfTheirIpu() {
        QCOMPARE(cut(shortcut(), {0, 1, 1, 0, 0}), std::pair(Numbers({0, 1, 1, 2, 2}), Numbers({0, 1, 0})));
        // Two branches on two IPUs that meet on the first: each IPU has one step, and the sum one more.
        const core::ModelGraph branches =
            model({{"a", {"in"}}, {"b", {"in"}}, {"c", {"a"}}, {"d", {"b"}}, {"sum", {"c", "d"}}});
        const auto [stages, ipus] = cut(branches, {0, 0, 1, 1, 0});
        QCOMPARE(ipus.size(), std::size_t(3));
        QCOMPARE(stages.back(), std::size_t(2));
    }

    void dataNeverMovesBackWhateverTheShards() {
        const core::ModelGraph graph = shortcut();
        const core::FlattenedModel flattened = core::flattenModel(graph).value();
        const std::size_t calls = flattened.assignable().size();
        for (std::uint32_t seed = 1; seed < 200; ++seed) {
            std::uint32_t state = seed * 2654435761U;
            std::vector<StageId> shards;
            for (std::size_t call = 0; call < calls; ++call) {
                state = state * 1664525U + 1013904223U;
                shards.emplace_back((state >> 20) % 3);
            }
            const ShardStages result = core::shardStages(flattened, shards);
            const std::vector<core::InvocationId> assignable = flattened.assignable();
            for (std::size_t entry = 0; entry < calls; ++entry) {
                const std::size_t call = assignable[entry].index();
                const StageId stage = result.stageOf[call];
                QCOMPARE(result.ipus[stage.index()].index(), shards[entry].index());
                for (const core::TensorRef& input : flattened.invocations[call].inputs)
                    QVERIFY(result.stageOf[input.invocation.index()] <= stage);
            }
        }
    }
};

REGISTER_TEST("shard_stages", ShardStagesTest)
#include "shard_stages_test.moc"
