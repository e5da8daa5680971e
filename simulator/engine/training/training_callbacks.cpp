#include "simulator/engine/training/training_callbacks.h"

#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/config/keras_catalogue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace simulator {
namespace {

using core::Json;

/// A key of a callback that names a file to be written.
class WrittenFile {
public:
    WrittenFile(std::shared_ptr<core::WriteDoor> door, std::string place)
        : m_door(std::move(door))
        , m_place(std::move(place)) {}

    [[nodiscard]] core::Result<std::filesystem::path> admit(const std::string& name) const {
        return m_door->admit(name, m_place);
    }
    [[nodiscard]] core::Result<void> check(const std::string& name) const {
        const auto path = admit(name);
        return path ? core::Result<void>() : core::failure(path.error());
    }
    /// Lets `write` write the file behind the name.
    core::Result<void>
    write(const std::string& name,
          const std::function<core::Result<void>(const std::filesystem::path&)>& write) const {
        const auto path = admit(name);
        if (!path)
            return core::failure(path.error());
        if (auto result = write(*path); !result)
            return result;
        m_door->noteWritten(*path);
        return {};
    }

private:
    std::shared_ptr<core::WriteDoor> m_door;
    std::string m_place;
};

/// What a callback is made of.
struct CallbackRequest {
    const Json& config;
    std::shared_ptr<core::WriteDoor> door;
    /// JSON pointer of the config.
    std::string place;

    [[nodiscard]] WrittenFile file(std::string_view key) const {
        return {door, core::childPointer(place, key)};
    }
};

std::optional<double> valueOf(const EpochLogs& logs, const std::string& name) {
    const auto found = std::ranges::find(logs, name, &EpochLogs::value_type::first);
    return found == logs.end() ? std::nullopt : std::optional(found->second);
}

/// Follows one metric and its best value. "auto" grows for accuracies and areas, as Keras decides.
class Monitor {
public:
    explicit Monitor(const Json& config)
        : m_name(config.at("monitor").get<std::string>())
        , m_delta(config.value("min_delta", 0.0)) {
        const std::string mode = config.at("mode").get<std::string>();
        const bool isGrowing = m_name.ends_with("acc") || m_name.ends_with("accuracy") ||
                               m_name.ends_with("auc") || m_name.ends_with("precision") ||
                               m_name.ends_with("recall");
        m_grows = mode == "max" || (mode == "auto" && isGrowing);
        m_best = m_grows ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    }

    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] bool isBetter(double value, double than) const {
        return m_grows ? value - m_delta > than : value + m_delta < than;
    }
    /// True and remembered when it beats the best so far.
    bool improves(double value) {
        if (!isBetter(value, m_best))
            return false;
        m_best = value;
        return true;
    }
    [[nodiscard]] double best() const { return m_best; }
    /// Infinity has no JSON.
    [[nodiscard]] Json state() const { return std::isfinite(m_best) ? Json(m_best) : Json(); }
    void setState(const Json& state) {
        if (state.is_number())
            m_best = state.get<double>();
    }

private:
    std::string m_name;
    double m_delta = 0;
    bool m_grows = false;
    double m_best = 0;
};

class EarlyStopping final : public TrainingCallback {
public:
    explicit EarlyStopping(const CallbackRequest& request)
        : EarlyStopping(request.config) {}
    explicit EarlyStopping(const Json& config)
        : m_monitor(config)
        , m_patience(config.at("patience").get<std::int64_t>())
        , m_firstEpoch(config.at("start_from_epoch").get<std::int64_t>())
        , m_restores(config.at("restore_best_weights").get<bool>()) {
        if (config.at("baseline").is_number())
            m_baseline = config.at("baseline").get<double>();
    }

    core::Result<bool> epochEnds(std::int64_t epoch, const EpochLogs& logs,
                                 const TrainingControl& control) override {
        const auto value = valueOf(logs, m_monitor.name());
        if (!value || epoch < m_firstEpoch)
            return false;
        ++m_wait;
        if (m_monitor.improves(*value)) {
            if (m_restores)
                control.keepWeights();
            if (!m_baseline || m_monitor.isBetter(*value, *m_baseline))
                m_wait = 0;
        }
        if (m_wait < m_patience || epoch == 0 || m_wait == 0)
            return false;
        if (m_restores)
            control.restoreWeights();
        control.tell("EarlyStopping",
                     fmt::format("stopped after epoch {}: {} has not improved on {:.6g} for {} "
                                 "epochs",
                                 epoch + 1, m_monitor.name(), m_monitor.best(), m_wait));
        return true;
    }
    [[nodiscard]] Json state() const override { return {{"best", m_monitor.state()}, {"wait", m_wait}}; }
    void setState(const Json& state) override {
        m_monitor.setState(state.at("best"));
        m_wait = state.at("wait").get<std::int64_t>();
    }

private:
    Monitor m_monitor;
    std::int64_t m_patience;
    std::int64_t m_firstEpoch;
    bool m_restores;
    std::optional<double> m_baseline;
    std::int64_t m_wait = 0;
};

class ReduceLearningRate final : public TrainingCallback {
public:
    explicit ReduceLearningRate(const CallbackRequest& request)
        : ReduceLearningRate(request.config) {}
    explicit ReduceLearningRate(const Json& config)
        : m_monitor(config)
        , m_factor(config.at("factor").get<double>())
        , m_patience(config.at("patience").get<std::int64_t>())
        , m_cooldown(config.at("cooldown").get<std::int64_t>())
        , m_lowest(config.at("min_lr").get<double>()) {}

    core::Result<bool> epochEnds(std::int64_t epoch, const EpochLogs& logs,
                                 const TrainingControl& control) override {
        const auto value = valueOf(logs, m_monitor.name());
        if (!value)
            return false;
        if (m_coolingLeft > 0) {
            --m_coolingLeft;
            m_wait = 0;
        }
        if (m_monitor.improves(*value)) {
            m_wait = 0;
            return false;
        }
        if (m_coolingLeft > 0 || ++m_wait < m_patience || control.learningRate() <= m_lowest)
            return false;
        const double rate = std::max(control.learningRate() * m_factor, m_lowest);
        control.setLearningRate(rate);
        control.tell("ReduceLROnPlateau",
                     fmt::format("the learning rate is {:.6g} after epoch {}", rate, epoch + 1));
        m_coolingLeft = m_cooldown;
        m_wait = 0;
        return false;
    }
    [[nodiscard]] Json state() const override {
        return {{"best", m_monitor.state()}, {"wait", m_wait}, {"cooling", m_coolingLeft}};
    }
    void setState(const Json& state) override {
        m_monitor.setState(state.at("best"));
        m_wait = state.at("wait").get<std::int64_t>();
        m_coolingLeft = state.at("cooling").get<std::int64_t>();
    }

private:
    Monitor m_monitor;
    double m_factor;
    std::int64_t m_patience;
    std::int64_t m_cooldown;
    double m_lowest;
    std::int64_t m_wait = 0;
    std::int64_t m_coolingLeft = 0;
};

/// A rate for each epoch; the last one stays.
class LearningRateScheduler final : public TrainingCallback {
public:
    explicit LearningRateScheduler(const CallbackRequest& request)
        : m_rates(request.config.at("schedule").get<std::vector<double>>()) {}

    core::Result<std::int64_t> trainingBegins(const TrainingControl& control) override {
        control.setLearningRate(m_rates.front());
        return 0;
    }
    core::Result<bool> epochEnds(std::int64_t epoch, const EpochLogs&,
                                 const TrainingControl& control) override {
        control.setLearningRate(m_rates[std::min(static_cast<std::size_t>(epoch) + 1, m_rates.size() - 1)]);
        return false;
    }

private:
    std::vector<double> m_rates;
};

/// "{epoch:02d}-{val_loss:.2f}" filled in as Python's str.format does; unknown names stay as they are.
std::string filledIn(const std::string& pattern, std::int64_t epoch, const EpochLogs& logs) {
    std::string text;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t open = pattern.find('{', at);
        const std::size_t close = open == std::string::npos ? open : pattern.find('}', open);
        text += pattern.substr(at, open - at);
        if (close == std::string::npos) {
            text += open == std::string::npos ? "" : pattern.substr(open);
            break;
        }
        const std::string field = pattern.substr(open + 1, close - open - 1);
        const std::string name = field.substr(0, field.find(':'));
        const std::string format =
            fmt::format("{{{}}}", std::string_view(field).substr(std::min(field.find(':'), field.size())));
        const auto value = valueOf(logs, name);
        try {
            text += name == "epoch" ? fmt::format(fmt::runtime(format), epoch)
                    : value         ? fmt::format(fmt::runtime(format), *value)
                                    : pattern.substr(open, close - open + 1);
        } catch (const fmt::format_error&) {
            text += pattern.substr(open, close - open + 1);
        }
        at = close + 1;
    }
    return text;
}

class ModelCheckpoint final : public TrainingCallback {
public:
    explicit ModelCheckpoint(const CallbackRequest& request)
        : m_monitor(request.config)
        , m_pattern(request.config.at("filepath").get<std::string>())
        , m_file(request.file("filepath"))
        , m_onlyBest(request.config.at("save_best_only").get<bool>()) {}

    /// The name of the first epoch stands for all: only numbers differ.
    [[nodiscard]] core::Result<void> checkFiles() const override {
        return m_file.check(filledIn(m_pattern, 1, {}));
    }

    core::Result<bool> epochEnds(std::int64_t epoch, const EpochLogs& logs,
                                 const TrainingControl& control) override {
        const auto value = valueOf(logs, m_monitor.name());
        if (m_onlyBest && !(value && m_monitor.improves(*value)))
            return false;
        if (auto result = m_file.write(filledIn(m_pattern, epoch + 1, logs), control.saveWeights); !result)
            return core::failure(result.error());
        return false;
    }
    [[nodiscard]] Json state() const override { return {{"best", m_monitor.state()}}; }
    void setState(const Json& state) override { m_monitor.setState(state.at("best")); }

private:
    Monitor m_monitor;
    std::string m_pattern;
    WrittenFile m_file;
    bool m_onlyBest;
};

/// The file is written anew after each epoch, so that it is whole whatever interrupts.
class CsvLogger final : public TrainingCallback {
public:
    explicit CsvLogger(const CallbackRequest& request)
        : m_name(request.config.at("filename").get<std::string>())
        , m_file(request.file("filename"))
        , m_separator(request.config.at("separator").get<std::string>())
        , m_appends(request.config.at("append").get<bool>()) {}

    [[nodiscard]] core::Result<void> checkFiles() const override { return m_file.check(m_name); }
    core::Result<std::int64_t> trainingBegins(const TrainingControl&) override {
        const auto path = m_file.admit(m_name);
        if (!path)
            return core::failure(path.error());
        if (m_appends)
            m_text = core::readFile(*path, core::FileLimit::table).value_or("");
        return 0;
    }

    core::Result<bool> epochEnds(std::int64_t epoch, const EpochLogs& logs, const TrainingControl&) override {
        if (m_text.empty()) {
            m_text = "epoch";
            for (const auto& [name, value] : logs)
                m_text += m_separator + columnName(name);
            m_text += core::logHeadEnd;
        }
        m_text += std::to_string(epoch);
        for (const auto& [name, value] : logs)
            m_text += fmt::format("{}{}", m_separator, value);
        m_text += "\n";
        const auto save = [this](const std::filesystem::path& path) {
            return core::writeFileAtomically(path, m_text, core::Overwrite::Replace, core::Links::Refuse);
        };
        if (auto result = m_file.write(m_name, save); !result)
            return core::failure(result.error());
        return false;
    }
    [[nodiscard]] Json state() const override { return {{"text", m_text}}; }
    /// A backup may come from anybody, so what it says was written is a log or nothing.
    void setState(const Json& state) override {
        std::string text = state.at("text").get<std::string>();
        m_text = core::isTrainingLog(text) ? std::move(text) : std::string();
    }

private:
    /// Names of metrics come from layers, which may be called anything; a log holds no more than a word.
    static std::string columnName(std::string name) {
        std::ranges::replace_if(
            name,
            [](char c) {
                const bool isWord =
                    (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
                return !isWord && c != '_' && c != '-' && c != '.';
            },
            '_');
        return name;
    }

    std::string m_name;
    WrittenFile m_file;
    std::string m_separator;
    bool m_appends;
    std::string m_text;
};

class TerminateOnNaN final : public TrainingCallback {
public:
    explicit TerminateOnNaN(const CallbackRequest&) {}

    bool updateEnds(std::int64_t epoch, double loss, const TrainingControl& control) override {
        if (std::isfinite(loss))
            return false;
        control.tell("TerminateOnNaN", fmt::format("stopped in epoch {}", epoch + 1));
        return true;
    }
};

/// Goes on after the last epoch that was backed up; as in Keras, a run that came to its end leaves nothing to
/// go on from.
class BackupAndRestore final : public TrainingCallback {
public:
    explicit BackupAndRestore(const CallbackRequest& request)
        : m_name((std::filesystem::path(request.config.at("backup_dir").get<std::string>()) / "backup.npz")
                     .string())
        , m_file(request.file("backup_dir"))
        , m_isDeleted(request.config.at("delete_checkpoint").get<bool>()) {}

    [[nodiscard]] core::Result<void> checkFiles() const override { return m_file.check(m_name); }

    core::Result<std::int64_t> trainingBegins(const TrainingControl& control) override {
        const auto path = m_file.admit(m_name);
        if (!path)
            return core::failure(path.error());
        const auto epochs = control.loadBackup(*path);
        if (!epochs)
            return core::failure(epochs.error());
        if (!*epochs)
            return 0;
        control.tell("BackupAndRestore", fmt::format("went on after epoch {}", **epochs));
        return **epochs;
    }
    core::Result<bool> epochEnds(std::int64_t epoch, const EpochLogs&,
                                 const TrainingControl& control) override {
        const auto save = [&](const std::filesystem::path& path) {
            return control.saveBackup(path, epoch + 1);
        };
        if (auto result = m_file.write(m_name, save); !result)
            return core::failure(result.error());
        return false;
    }
    void trainingEnds() override {
        std::error_code error;
        const auto path = m_file.admit(m_name);
        if (m_isDeleted && path)
            std::filesystem::remove(*path, error);
    }
    [[nodiscard]] bool writesBackups() const override { return true; }

private:
    std::string m_name;
    WrittenFile m_file;
    bool m_isDeleted;
};

using Maker = std::unique_ptr<TrainingCallback> (*)(const CallbackRequest&);

template <class Callback>
std::unique_ptr<TrainingCallback> make(const CallbackRequest& request) {
    return std::make_unique<Callback>(request);
}

struct CallbackRow {
    std::string_view className;
    Maker make;
};
constexpr std::array callbackRows{CallbackRow{"EarlyStopping", make<EarlyStopping>},
                                  CallbackRow{"ReduceLROnPlateau", make<ReduceLearningRate>},
                                  CallbackRow{"LearningRateScheduler", make<LearningRateScheduler>},
                                  CallbackRow{"ModelCheckpoint", make<ModelCheckpoint>},
                                  CallbackRow{"CSVLogger", make<CsvLogger>},
                                  CallbackRow{"TerminateOnNaN", make<TerminateOnNaN>},
                                  CallbackRow{"BackupAndRestore", make<BackupAndRestore>}};

} // namespace

core::Result<std::vector<std::unique_ptr<TrainingCallback>>>
makeCallbacks(const std::vector<core::KerasObject>& callbacks, const std::shared_ptr<core::WriteDoor>& door) {
    std::vector<std::unique_ptr<TrainingCallback>> made;
    for (std::size_t i = 0; i < callbacks.size(); ++i) {
        const auto row = std::ranges::find(callbackRows, callbacks[i].className, &CallbackRow::className);
        if (row == callbackRows.end())
            continue;
        const Json config = core::resolvedConfig(callbacks[i], core::callbackCatalogue());
        made.push_back(row->make({config, door, fmt::format("/training/callbacks/{}/config", i)}));
        if (auto result = made.back()->checkFiles(); !result)
            return core::failure(result.error());
    }
    std::ranges::stable_partition(made, [](const auto& callback) { return !callback->writesBackups(); });
    return made;
}

std::optional<Json> callbackConfig(const std::vector<core::KerasObject>& callbacks,
                                   std::string_view className) {
    const auto found = std::ranges::find(callbacks, className, &core::KerasObject::className);
    return found == callbacks.end() ? std::nullopt
                                    : std::optional(core::resolvedConfig(*found, core::callbackCatalogue()));
}

} // namespace simulator
