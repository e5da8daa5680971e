#include "tests/support/workbench.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QtTest/QTest>
#include <array>
#include <csignal>
#include <fstream>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

namespace tests {

namespace {

constexpr int patienceMs = 60'000;

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

void Workbench::prepare(QProcess& process) const {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "NO_COLOR"})
        environment.remove(name);
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder.path());
}

Answer Workbench::run(const QStringList& arguments) const {
    return answerOf(qEnvironmentVariable("IPU_WORKBENCH"), arguments);
}

Answer Workbench::runLine(const QString& arguments) const {
    return answerOf("/bin/sh", {"-c", "\"$IPU_WORKBENCH\" " + arguments});
}

Answer Workbench::answerOf(const QString& program, const QStringList& arguments) const {
    QProcess process;
    prepare(process);
    process.start(program, arguments);
    if (!process.waitForFinished(patienceMs) || process.exitStatus() != QProcess::NormalExit)
        return {-1, process.readAllStandardOutput(), process.errorString().toUtf8()};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QByteArray Workbench::runOnTerminal(const QStringList& arguments, const QStringList& environment) const {
    int ours = -1;
    int theirs = -1;
    std::array<char, 256> name{};
    if (openpty(&ours, &theirs, name.data(), nullptr, nullptr) != 0)
        return "no terminal";
    termios settings{};
    tcgetattr(theirs, &settings);
    cfmakeraw(&settings);
    tcsetattr(theirs, TCSANOW, &settings);
    QProcess process;
    prepare(process);
    QProcessEnvironment more = process.processEnvironment();
    for (const QString& text : environment)
        more.insert(text.section('=', 0, 0), text.section('=', 1));
    process.setProcessEnvironment(more);
    process.setStandardErrorFile(name.data(), QIODevice::Append);
    process.start(qEnvironmentVariable("IPU_WORKBENCH"), arguments);
    process.waitForFinished(patienceMs);
    close(theirs);
    QByteArray written;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0; (count = read(ours, buffer.data(), buffer.size())) > 0;)
        written.append(buffer.data(), count);
    close(ours);
    return written;
}

int Workbench::stop(const QStringList& arguments, const char* file, int signal) const {
    QProcess process;
    prepare(process);
    process.start(qEnvironmentVariable("IPU_WORKBENCH"), arguments);
    constexpr int pollMs = 20;
    const auto isWritten = [&] {
        std::error_code missing;
        const auto size = std::filesystem::file_size(path(file), missing);
        return !missing && size > 0;
    };
    for (int waited = 0; !isWritten() && waited < patienceMs; waited += pollMs) {
        if (process.waitForFinished(pollMs))
            return process.exitCode();
    }
    constexpr int intoTheWorkMs = 200;
    // Without a process the id is 0, which would be everybody of this group.
    if (process.waitForFinished(intoTheWorkMs) || process.processId() <= 0)
        return process.exitCode();
    ::kill(static_cast<pid_t>(process.processId()), signal);
    process.waitForFinished(patienceMs);
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
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
