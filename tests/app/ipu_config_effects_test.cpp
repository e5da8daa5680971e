#include "app/reports/run_report.h"
#include "app/services/run/dataset_facts.h"
#include "core/config/ipu_config/ipu_config_table.h"
#include "core/interchange/project/project_file.h"
#include "core/profile/records/memory_profile.h"
#include "core/profile/records/profile_sink.h"
#include "core/project/validate.h"
#include "simulator/engine/run.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <set>

namespace {

/// An option set to another value than its default, and the figure of a run that it changes.
struct Effect {
    const char* option;
    const char* value;
    const char* project;
    /// JSON pointer into the object of `run`; "" where the run is refused or stops.
    const char* figure;
    /// What both runs have set: "PATH=VALUE".
    std::vector<const char*> both;
    bool numerics = false;
    core::RunMode mode = core::RunMode::Train;
};

const char* const tutorial = "tutorial/4-pipelined-sequential.ipuproj";
const char* const encoder = "encoder/encoder.ipuproj";
const char* const resnet = "resnet50/resnet50.ipuproj";
const char* const single = "tutorial/1-single-functional.ipuproj";

const char* const sharding = "sharding/sharding.ipuproj";
const char* const replicas = "replicas/replicas.ipuproj";
/// Two lookups in one table.
const char* const twoLookups =
    R"(model={"class_name": "Functional", "config": {"name": "two_lookups", "layers": [
  {"class_name": "InputLayer", "name": "a", "inbound_nodes": [],
   "config": {"name": "a", "batch_input_shape": [null, 64], "dtype": "int32"}},
  {"class_name": "InputLayer", "name": "b", "inbound_nodes": [],
   "config": {"name": "b", "batch_input_shape": [null, 64], "dtype": "int32"}},
  {"class_name": "Embedding", "name": "table", "inbound_nodes": [[["a", 0, 0, {}]], [["b", 0, 0, {}]]],
   "config": {"name": "table", "input_dim": 1000, "output_dim": 64}},
  {"class_name": "Add", "name": "sum", "inbound_nodes": [[["table", 0, 0, {}], ["table", 1, 0, {}]]],
   "config": {"name": "sum"}},
  {"class_name": "GlobalAveragePooling1D", "name": "mean", "inbound_nodes": [[["sum", 0, 0, {}]]],
   "config": {"name": "mean"}},
  {"class_name": "Dense", "name": "logits", "inbound_nodes": [[["mean", 0, 0, {}]]],
   "config": {"name": "logits", "units": 10}}],
 "input_layers": [["a", 0, 0], ["b", 0, 0]], "output_layers": [["logits", 0, 0]]}})";
/// Two sums over the replicas, each of which keeps its part.
const char* const twoScatters =
    R"(model={"class_name": "Functional", "config": {"name": "two_scatters", "layers": [
  {"class_name": "InputLayer", "name": "x", "inbound_nodes": [],
   "config": {"name": "x", "batch_input_shape": [null, 64], "dtype": "float32"}},
  {"class_name": "Dense", "name": "a", "inbound_nodes": [[["x", 0, 0, {}]]], "config": {"name": "a", "units": 64}},
  {"class_name": "Dense", "name": "b", "inbound_nodes": [[["x", 0, 0, {}]]], "config": {"name": "b", "units": 64}},
  {"class_name": "ReduceScatter", "name": "ra", "inbound_nodes": [[["a", 0, 0, {}]]], "config": {"name": "ra", "replication_factor": 4}},
  {"class_name": "ReduceScatter", "name": "rb", "inbound_nodes": [[["b", 0, 0, {}]]], "config": {"name": "rb", "replication_factor": 4}},
  {"class_name": "Add", "name": "sum", "inbound_nodes": [[["ra", 0, 0, {}], ["rb", 0, 0, {}]]],
   "config": {"name": "sum"}}],
 "input_layers": [["x", 0, 0]], "output_layers": [["sum", 0, 0]]}})";
/// Rows of a table on the host.
const char* const hostRows =
    R"(model={"class_name": "Sequential", "config": {"name": "host_rows", "layers": [
  {"class_name": "InputLayer", "config": {"name": "indices", "batch_input_shape": [null, 16], "dtype": "int32"}},
  {"class_name": "HostEmbedding", "config": {"name": "table", "input_dim": 1000, "output_dim": 16}},
  {"class_name": "Flatten", "config": {"name": "flat"}},
  {"class_name": "Dense", "config": {"name": "logits", "units": 10}}]}})";
const char* const noStages = "pipeline={\"gradient_accumulation_steps_per_replica\": 4}";
const char* const noDataset = "training.dataset=null";
const char* const sharded = "pipeline.replicated_optimizer_state_sharding=true";
/// Variables of any size are offloaded.
const char* const anySize = "ipu_config.optimizations.minimum_remote_tensor_size=0";

const char* const lookAhead = "ipu_config.scheduling.algorithm=LOOK_AHEAD";
const char* const half = "training.precision=float16";
const char* const onDemand = "ipu_config.device_connection.type=ON_DEMAND";
const char* const twelve = "pipeline.gradient_accumulation_steps_per_replica=12";

const std::vector<Effect>& effects() {
    static const std::vector<Effect> list{
        {"allow_recompute", "true", encoder, "/stages/0/recompute_cycles", {}},
        {"selection_order", "ZIGZAG", encoder, "/step_cycles", {}},
        {"auto_select_ipus", "4", encoder, "/replicas", {"system.ipus=8", "replicas=null"}},
        {"select_ipus", "12", encoder, "/replicas", {"system.ipus=8", "replicas=null"}},
        {"experimental.enable_remote_buffer_embedding",
         "true",
         tutorial,
         "/step_cycles",
         {hostRows, noDataset, noStages, "system.ipus=1"}},
        {"convolutions.poplar_options",
         R"({"partialsType": "half"})",
         resnet,
         "/stages/0/forward_cycles",
         {half}},
        {"matmuls.poplar_options",
         R"({"partialsType": "half"})",
         tutorial,
         "/stages/1/forward_cycles",
         {half}},
        {"device_connection.type", "ON_DEMAND", tutorial, "/step_cycles", {}},
        {"device_connection.version", "ipu2", tutorial, "", {"ipu_config.device_connection.type=NEVER"}},
        {"device_connection.enable_remote_buffers", "true", tutorial, "/step_cycles", {onDemand}},
        {"io_tiles.num_io_tiles", "32", tutorial, "/step_cycles", {twelve}},
        {"io_tiles.place_ops_on_io_tiles",
         "true",
         tutorial,
         "/step_cycles",
         {twelve, "ipu_config.io_tiles.num_io_tiles=32"}},
        {"optimizations.prefetch_data_streams", "false", tutorial, "/step_cycles", {}},
        {"optimizations.minimum_remote_tensor_size", "1000000", tutorial, "/step_cycles", {}},
        {"optimizations.combine_matmuls", "true", encoder, "/step_cycles", {}},
        {"optimizations.combine_embedding_lookups",
         "true",
         single,
         "/stages/0/forward_cycles",
         {twoLookups, noDataset}},
        {"optimizations.maximum_cross_replica_sum_buffer_size", "1000000", replicas, "/step_cycles", {}},
        {"experimental.multi_replica_distribution.process_count",
         "2",
         replicas,
         "/step_cycles",
         {sharded, anySize}},
        {"optimizations.enable_graph_outlining", "false", encoder, "/memory/1/peak_bytes", {}},
        {"optimizations.merge_infeed_io_copies", "true", tutorial, "/step_cycles", {}},
        {"optimizations.maximum_inter_ipu_copies_buffer_size", "1000000", sharding, "/step_cycles", {}},
        {"optimizations.maximum_reduce_scatter_buffer_size",
         "1000000",
         replicas,
         "/step_cycles",
         {twoScatters, noDataset, noStages},
         false,
         core::RunMode::Predict},
        {"optimizations.merge_remote_buffers", "NO_MERGING", encoder, "/memory/1/peak_bytes", {}},
        {"norms.use_stable_statistics", "true", resnet, "/stages/0/forward_cycles", {}},
        {"norms.experimental.distributed_batch_norm_replica_group_size",
         "2",
         resnet,
         "/stages/0/forward_cycles",
         {"replicas=2", "system.ipus=8"}},
        {"io_tiles.available_memory_proportion",
         "0",
         tutorial,
         "/step_cycles",
         {twelve, "ipu_config.io_tiles.num_io_tiles=32", "ipu_config.io_tiles.place_ops_on_io_tiles=true"}},
        {"optimizations.enable_fast_math", "true", encoder, "/step_cycles", {}},
        {"scheduling.algorithm", "LOOK_AHEAD", encoder, "/memory/1/worst_tile_bytes", {}},
        {"scheduling.maximum_scheduler_lookahead_depth", "1", tutorial, "/memory/1/peak_bytes", {lookAhead}},
        {"scheduling.maximum_scheduler_search_space_size",
         "1",
         tutorial,
         "/memory/1/peak_bytes",
         {lookAhead}},
        {"floating_point_behaviour.inv",
         "true",
         single,
         "",
         {"training.optimizer.config.learning_rate=1e5"},
         true},
        {"floating_point_behaviour.div0",
         "true",
         single,
         "",
         {"training.optimizer.config.learning_rate=1e5"},
         true},
        {"floating_point_behaviour.oflo",
         "true",
         single,
         "",
         {"training.optimizer.config.learning_rate=1e5"},
         true},
        {"floating_point_behaviour.esr", "true", single, "/metrics/loss", {half}, true},
        {"floating_point_behaviour.nanoo",
         "true",
         single,
         "",
         {half, "training.optimizer.config.learning_rate=1e4"},
         true},
        {"floating_point_behaviour.set_all",
         "true",
         single,
         "",
         {"training.optimizer.config.learning_rate=1e5"},
         true},
    };
    return list;
}

core::ProjectSetting setting(const std::string& text) {
    return core::parseSetting(text).value();
}

/// The object of `run`, or the codes of what refused it.
core::Json runOf(const Effect& effect, bool isSet) {
    const auto path = tests::projectRoot() / "projects" / effect.project;
    std::vector<core::ProjectSetting> settings;
    for (const char* text : effect.both)
        settings.push_back(setting(text));
    if (isSet)
        settings.push_back(setting("ipu_config." + std::string(effect.option) + "=" + effect.value));
    const auto refused = [](const core::Diagnostics& findings) {
        core::Json codes = core::Json::array();
        for (const core::Diagnostic& finding : findings) {
            if (finding.severity == core::Severity::Error)
                codes.push_back(finding.code);
        }
        return codes;
    };
    const auto file = core::loadProject(path, settings);
    if (!file)
        return refused(file.error());
    const auto facts = app::datasetFacts(file->project, effect.mode, path.parent_path());
    if (!facts)
        return refused(facts.error());
    auto validated = core::validate(file->project, effect.mode, *facts, "p");
    if (!validated)
        return refused(validated.error());
    simulator::RunRequest request{
        *validated, simulator::ProfileLevel::None, effect.numerics, path.parent_path(), "", "", ""};
    core::MemoryProfile sink;
    const auto summary = simulator::run(request, sink);
    return summary ? app::runJson("run", {}, *summary) : refused(summary.error());
}

} // namespace

/// What the option table says of an option's effect is what a run shows.
class IpuConfigEffectsTest : public QObject {
    Q_OBJECT

private slots:
    void everyOptionHasAnEffectOrAReason() {
        std::set<std::string_view> shown;
        for (const Effect& effect : effects())
            shown.insert(effect.option);
        for (const core::IpuConfigOption& option : core::ipuConfigOptions()) {
            const bool hasEffect = option.effect == core::OptionEffect::Honoured;
            QVERIFY2(hasEffect || !shown.contains(option.name), option.name.data());
            QVERIFY2(!hasEffect || shown.contains(option.name), option.name.data());
            const bool hasReason = option.effectText.starts_with("no effect on the simulated system: ");
            QVERIFY2(hasReason != hasEffect, option.name.data());
        }
    }

    void changesAFigure_data() {
        QTest::addColumn<std::size_t>("index");
        for (std::size_t index = 0; index < effects().size(); ++index)
            QTest::newRow(effects()[index].option) << index;
    }

    void changesAFigure() {
        QFETCH(const std::size_t, index);
        const Effect& effect = effects()[index];
        const core::Json before = runOf(effect, false);
        const core::Json after = runOf(effect, true);
        if (*effect.figure == '\0') {
            QVERIFY2(before != after, core::toText(after, -1).substr(0, 300).c_str());
            return;
        }
        const core::Json::json_pointer figure(effect.figure);
        QVERIFY2(before.is_object(), core::toText(before, -1).c_str());
        QVERIFY2(after.is_object(), core::toText(after, -1).c_str());
        QVERIFY2(before.at(figure) != after.at(figure), core::toText(after.at(figure), -1).c_str());
    }
};

REGISTER_TEST("ipu_config_effects", IpuConfigEffectsTest)
#include "ipu_config_effects_test.moc"
