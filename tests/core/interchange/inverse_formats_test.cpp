#include "core/interchange/keras/keras_json.h"
#include "core/interchange/project/kept_work.h"
#include "core/interchange/project/project_file.h"
#include "core/project/project_edit.h"
#include "tests/support/random_graphs.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <array>
#include <random>
#include <string>

using core::ModelGraph;
using core::Project;

namespace {

/// Some of the edits that people make of a plan; those that are refused change nothing.
Project edited(std::mt19937& random, Project project) {
    constexpr std::array schedules{"Grouped", "Interleaved", "Sequential"};
    constexpr std::array names{"a", "net 2", "\xc3\xa9", "x/y"};
    for (int step = 0; step < 6; ++step) {
        const auto take = [&](core::Result<Project> next) {
            if (next)
                project = std::move(*next);
        };
        const std::string layer = project.model.layers[random() % project.model.layers.size()].name;
        const std::vector<std::string> layers{layer};
        switch (random() % 9) {
        case 0:
            take(core::splitEvenly(project, 1 + random() % 4));
            break;
        case 1:
            take(core::assignLayersToStage(project, layers, core::StageId(random() % 3)));
            break;
        case 2:
            take(core::withStageOnIpu(project, core::StageId(random() % 3), core::IpuId(random() % 4)));
            break;
        case 3:
            take(core::withSchedule(project, schedules[random() % schedules.size()]));
            break;
        case 4:
            take(core::withMicroBatches(project, static_cast<std::int64_t>(1 + random() % 64)));
            break;
        case 5:
            take(core::withReplicas(project, static_cast<std::int64_t>(1 + random() % 8)));
            break;
        case 6:
            take(core::withName(project, names[random() % names.size()]));
            break;
        case 7:
            take(core::withNote(project, layers, names[random() % names.size()]));
            break;
        default:
            take(core::withPositions(project,
                                     {{layer, {0.1 + static_cast<double>(random() % 1000) / 7, -1e-9}}}));
        }
    }
    return project;
}

// Edits of the first layer of a chain.

core::Result<ModelGraph> withAnotherName(const ModelGraph& graph, core::LayerId first) {
    return core::renameLayer(graph, first, "b");
}

core::Result<ModelGraph> withAnotherShape(const ModelGraph& graph, core::LayerId first) {
    return core::setAttribute(graph, first, "batch_input_shape", {nullptr, 5});
}

core::Result<ModelGraph> withoutShape(const ModelGraph& graph, core::LayerId first) {
    return core::setAttribute(graph, first, "batch_input_shape", nullptr);
}

core::Result<ModelGraph> thatTakesIndices(const ModelGraph& graph, core::LayerId first) {
    return core::replaceClass(graph, first, "Embedding");
}

core::Result<ModelGraph> thatTookIndices(const ModelGraph& graph, core::LayerId first) {
    return core::replaceClass(thatTakesIndices(graph, first).value(), first, "Dense");
}

core::Result<ModelGraph> whoseInputsNameWasTaken(const ModelGraph& graph, core::LayerId first) {
    const core::LayerId second(first.index() + 1);
    const ModelGraph taken = core::renameLayer(graph, second, "b_input").value();
    return core::renameLayer(core::renameLayer(taken, first, "b").value(), second, "c");
}

} // namespace

/// What is written is read again as it was, on random models and plans.
class InverseFormatsTest : public QObject {
    Q_OBJECT

private slots:
    void aProjectIsReadAsItWasWritten() {
        tests::forRandomGraphs([](std::mt19937& random, const ModelGraph& graph) {
            Project project;
            project.name = "net";
            project.model = graph;
            project = edited(random, std::move(project));
            const std::string text = core::writeProject(project);
            const auto file = core::readProject(text, "net.ipuproj");
            QVERIFY2(file, file ? "" : file.error().front().message.c_str());
            QVERIFY(file->project == project);
            QCOMPARE(core::writeProject(file->project), text);
        });
    }

    void aModelIsReadAsKerasWouldWriteIt() {
        tests::forRandomGraphs([](std::mt19937&, const ModelGraph& graph) {
            core::Diagnostics warnings;
            const auto model = core::readKerasModel(core::writeKerasModel(graph), "net.json", warnings);
            QVERIFY2(model, model ? "" : model.error().front().message.c_str());
            QVERIFY(warnings.empty());
            QVERIFY(*model == graph);
        });
    }

    /// The calls of a layer are named by their number, so that none may be left out.
    void aCallThatNothingIsConnectedToIsReadAgain() {
        ModelGraph graph;
        graph.name = "m";
        graph = core::addInput(graph, {"InputLayer", "x", {{"batch_input_shape", {nullptr, 3}}}}).value();
        graph = core::addLayer(graph, {"Dense", "a", {{"units", 3}}}, {{core::InvocationId(0), 0}}).value();
        graph = core::addCall(graph, core::LayerId(1), {{core::InvocationId(1), 0}}).value();
        graph = core::removeLayers(graph, {core::LayerId(0)}, core::Reconnect::No).value();
        QCOMPARE(graph.invocations.size(), std::size_t{2});
        Project project;
        project.model = graph;
        const auto file = core::readProject(core::writeProject(project), "net.ipuproj");
        QVERIFY2(file, file ? "" : file.error().front().message.c_str());
        QVERIFY(file->project.model == graph);
    }

    void aModelThatIsCalledTwiceIsReadAgain() {
        ModelGraph graph;
        graph.name = "m";
        graph = core::addInput(graph, {"InputLayer", "x", {{"batch_input_shape", {nullptr, 3}}}}).value();
        graph = core::addLayer(graph, {"Dense", "a", {{"units", 3}}}, {{core::InvocationId(0), 0}}).value();
        graph = core::nestLayers(graph, {core::LayerId(1)}, "inner").value();
        const core::LayerId inner = graph.findLayer("inner").value();
        graph = core::addCall(graph, inner, {{core::InvocationId(1), 0}}).value();
        // Only its first call is named.
        graph = core::setOutputs(graph, {{core::InvocationId(1), 0}}).value();
        Project project;
        project.model = graph;
        const auto file = core::readProject(core::writeProject(project), "net.ipuproj");
        QVERIFY2(file, file ? "" : file.error().front().message.c_str());
        QVERIFY(file->project.model == graph);
    }

    /// Its input, which the file does not list, takes its name, shape and type from it.
    void theFirstLayerOfAChainIsReadAgainAsItWasEdited() {
        struct Row {
            core::Result<ModelGraph> (*edit)(const ModelGraph& graph, core::LayerId first);
            const char* name;
            const char* shape;
            const char* type;
        };
        const Row rows[] = {
            {withAnotherName, "b_input", "[null,3]", "float32"},
            {withAnotherShape, "a_input", "[null,5]", "float32"},
            {withoutShape, "a_input", "null", "float32"},
            {thatTakesIndices, "a_input", "[null,3]", "int32"},
            {thatTookIndices, "a_input", "[null,3]", "float32"},
            {whoseInputsNameWasTaken, "b_input", "[null,3]", "float32"},
        };
        const auto file = core::readProject(
            R"({"format": "ipu-workbench-project", "version": 1, "model": {"class_name": "Sequential",
                "config": {"name": "m", "layers": [{"class_name": "Dense", "config": {"name": "a", "units": 3,
                "batch_input_shape": [null, 3]}}, {"class_name": "Dense", "config": {"name": "z", "units": 2}}]}}})",
            "net.ipuproj");
        QVERIFY(file);
        for (const Row& row : rows) {
            const auto project = core::editModel(file->project, [&](const ModelGraph& graph) {
                return row.edit(graph, graph.findLayer("a").value());
            });
            QVERIFY2(project, project ? "" : project.error().front().message.c_str());
            const core::Layer& input = project->model.layers.front();
            QCOMPARE(input.name, std::string(row.name));
            QCOMPARE(input.config["batch_input_shape"].dump(), std::string(row.shape));
            QCOMPARE(input.config["dtype"].get<std::string>(), std::string(row.type));
            const auto again = core::readProject(core::writeProject(*project), "net.ipuproj");
            QVERIFY(again);
            QVERIFY(again->project == *project);
        }
    }

    void unsavedWorkHoldsTheProjectThatWasKept() {
        tests::forRandomGraphs([](std::mt19937& random, const ModelGraph& graph) {
            Project project;
            project.model = graph;
            project = edited(random, std::move(project));
            const core::Json kept{{"project_file", "/a/net.ipuproj"}, {"project", core::toJson(project)}};
            const auto work = core::readKeptWork(core::toText(kept), ".net.autosave");
            QVERIFY(work);
            QCOMPARE(work->projectFile, std::string("/a/net.ipuproj"));
            const auto file = core::readProject(work->project, "net.ipuproj");
            QVERIFY2(file, file ? "" : file.error().front().message.c_str());
            QVERIFY(file->project == project);
        });
    }
};

REGISTER_TEST("inverse_formats", InverseFormatsTest)
#include "inverse_formats_test.moc"
