#pragma once

#include "core/profile/schema/profile_database.h"
#include "views/document/latest_runner.h"

#include <functional>
#include <memory>
#include <optional>

namespace views {

/// Asks the profile database off the window's thread, one question at a time; a new question replaces the
/// one before. Each query object is for one kind of question, whose answers replace one another.
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
            [connection = m_connection, path, ask = std::move(ask),
             deliver = std::move(deliver)](const core::JobContext& job) -> LatestRunner::Deliver {
                auto answer =
                    std::make_shared<core::Result<Answer>>(answerOf<Answer>(*connection, path, ask, job));
                return [deliver, answer] { deliver(std::move(*answer)); };
            });
    }
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
    LatestRunner m_runner;
};

} // namespace views
