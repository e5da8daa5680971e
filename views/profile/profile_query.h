#pragma once

#include "core/profile/schema/profile_database.h"
#include "views/document/latest_runner.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace views {

/// Asks the profile database off the window's thread, one question at a time; a new question replaces the
/// one before. Each query object is for one kind of question, whose answers replace one another.
/// Of a damaged file what is left is answered.
class ProfileQuery final : public QObject {
    Q_OBJECT

public:
    explicit ProfileQuery(QObject* parent = nullptr);

    /// `ask` runs on a worker with a read-only connection to `path`; `deliver` gets its answer here.
    template <class Answer>
    void request(const std::filesystem::path& path,
                 std::function<core::Result<Answer>(const core::ProfileDatabase&)> ask,
                 std::function<void(core::Result<Answer>)> deliver) {
        requestWork<Answer>(
            path,
            [ask = std::move(ask)](const core::ProfileDatabase& database, const core::JobContext&) {
                return ask(database);
            },
            std::move(deliver));
    }
    /// The same for a question that takes long enough to be stopped.
    template <class Answer>
    void requestWork(
        const std::filesystem::path& path,
        std::function<core::Result<Answer>(const core::ProfileDatabase&, const core::JobContext&)> ask,
        std::function<void(core::Result<Answer>)> deliver) {
        m_runner.request(
            [this, connection = m_connection, path, ask = std::move(ask),
             deliver = std::move(deliver)](const core::JobContext& job) -> LatestRunner::Deliver {
                auto answer =
                    std::make_shared<core::Result<Answer>>(answerOf<Answer>(*connection, path, ask, job));
                // On the worker, before the next question.
                auto losses =
                    connection->database ? connection->database->takeLosses() : std::vector<std::string>();
                return [this, deliver, answer, losses = std::move(losses)] {
                    m_losses = losses;
                    deliver(std::move(*answer));
                };
            });
    }
    /// The parts of the answer that was delivered last that are on damaged pages, for people: "tiles".
    [[nodiscard]] const std::vector<std::string>& losses() const { return m_losses; }
    void forgetLosses() { m_losses.clear(); }
    void cancel() { m_runner.cancel(); }
    [[nodiscard]] bool isBusy() const { return m_runner.isBusy(); }

private:
    /// The worker's connection, kept between questions.
    struct Connection {
        std::optional<core::ProfileDatabase> database;
    };

    template <class Answer>
    static core::Result<Answer> answerOf(
        Connection& connection, const std::filesystem::path& path,
        const std::function<core::Result<Answer>(const core::ProfileDatabase&, const core::JobContext&)>& ask,
        const core::JobContext& job) {
        if (core::Result<void> opened = open(connection, path); !opened)
            return core::failure(opened.error());
        return ask(*connection.database, job);
    }
    static core::Result<void> open(Connection& connection, const std::filesystem::path& path);

    std::shared_ptr<Connection> m_connection;
    std::vector<std::string> m_losses;
    LatestRunner m_runner;
};

} // namespace views
