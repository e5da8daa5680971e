#include "tests/app/faults/faulty_run.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <algorithm>
#include <fstream>
#include <sstream>

namespace tests {

namespace fs = std::filesystem;

bool areManyFaultsTried() {
    return qEnvironmentVariableIsSet("FAULTS");
}

std::vector<Fault> faultsOf(const QByteArray& call, long count) {
    if (count == 0)
        return {};
    if (!areManyFaultsTried())
        return {{call, (count + 1) / 2, true}, {call, count, false}};
    const QString wanted = qEnvironmentVariable("FAULTS");
    const long most = wanted == "all" ? count : std::clamp(wanted.toLong(), 1L, count);
    std::vector<Fault> faults;
    for (long i = 0; i < most; ++i) {
        const long at = most == 1 ? 1 : 1 + i * (count - 1) / (most - 1);
        faults.push_back({call, at, false});
        faults.push_back({call, at, true});
    }
    return faults;
}

bool isSanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#else
    return false;
#endif
}

FaultyRun runWithFault(const QString& program, const fs::path& folder, const QStringList& arguments,
                       const Fault& fault) {
    const fs::path said = folder.parent_path() / "said.txt";
    fs::remove(said);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"})
        environment.remove(name);
    const auto set = [&](const char* name, const std::string& value) {
        environment.insert(name, QString::fromStdString(value));
    };
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "FAULT_FOLDER"})
        set(name, folder.string());
    set("FAULT_CALL", fault.call.toStdString());
    set("FAULT_AT", std::to_string(fault.at));
    set("FAULT_LASTS", fault.lasts ? "1" : "0");
    set("FAULT_SAID", said.string());
    set("LD_PRELOAD", FAULT_SHIM);
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(QString::fromStdString(folder.string()));
    process.start(program, arguments);
    process.closeWriteChannel();
    constexpr int patienceMs = 60'000;
    FaultyRun run;
    if (!process.waitForFinished(patienceMs)) {
        process.kill();
        process.waitForFinished();
        run.errors = "does not end";
        return run;
    }
    run.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    run.errors = process.readAllStandardError().toStdString();
    std::ifstream words(said);
    std::string word;
    for (long number = 0; words >> word >> number;) {
        run.hasFailed = run.hasFailed || word == "failed";
        if (word == "calls")
            run.calls = std::max(run.calls, number);
    }
    return run;
}

std::string bytesOf(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

std::set<std::string> namesIn(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        names.insert(fs::relative(entry.path(), folder).string());
    return names;
}

long errorLines(const std::string& errors) {
    std::istringstream lines(errors);
    long count = 0;
    for (std::string line; std::getline(lines, line);)
        count += line.starts_with("error: ") || line.find(": error: ") != std::string::npos ? 1 : 0;
    return count;
}

} // namespace tests
