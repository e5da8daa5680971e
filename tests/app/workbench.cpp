#include "tests/app/workbench.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QtTest/QTest>
#include <fstream>

namespace tests {

namespace {

const char* const exampleProject = R"({
  "format": "ipu-workbench-project", "version": 1, "name": "example",
  "model": {"class_name": "Sequential", "config": {"name": "seq", "layers": [
    {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 8], "dtype": "float32", "name": "in"}},
    {"class_name": "Dense", "config": {"name": "a", "units": 16, "activation": "relu"}},
    {"class_name": "Dense", "config": {"name": "b", "units": 4}}]}},
  "pipeline": {"stages": [0, 1], "schedule": "Grouped", "gradient_accumulation_steps_per_replica": 4},
  "training": {"batch_size": 4, "steps_per_execution": 8, "steps_per_epoch": 8,
    "optimizer": {"class_name": "SGD", "config": {"learning_rate": 0.1}}, "loss": "mse",
    "dataset": {"kind": "synthetic", "samples": 64, "seed": 1}},
  "system": {"ipus": 2, "target": "ipu2"}
})";

} // namespace

core::Json Answer::json() const {
    return core::Json::parse(out.begin(), out.end(), nullptr, false);
}

QString Answer::codes() const {
    QStringList list;
    const core::Json document = json();
    if (document.is_object() && document.contains("diagnostics")) {
        for (const core::Json& diagnostic : document["diagnostics"])
            list << QString::fromStdString(diagnostic["code"].get<std::string>());
    }
    return list.join(' ');
}

Answer Workbench::run(const QStringList& arguments) const {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(name);
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder.path());
    process.start(qEnvironmentVariable("IPU_WORKBENCH"), arguments);
    constexpr int patienceMs = 60'000;
    if (!process.waitForFinished(patienceMs) || process.exitStatus() != QProcess::NormalExit)
        return {-1, process.readAllStandardOutput(), process.errorString().toUtf8()};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

std::filesystem::path Workbench::path(const char* name) const {
    return std::filesystem::path(m_folder.path().toStdString()) / name;
}

void Workbench::write(const char* name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
}

void Workbench::writeProject(const char* name,
                             std::initializer_list<std::pair<std::string, std::string>> changes) const {
    std::string text = exampleProject;
    for (const auto& [from, to] : changes) {
        const auto at = text.find(from);
        QVERIFY2(at != std::string::npos, from.c_str());
        text.replace(at, from.size(), to);
    }
    write(name, text);
}

} // namespace tests
