#pragma once

#include "core/base/diagnostic.h"
#include "views/document/latest_runner.h"

#include <QObject>
#include <filesystem>

namespace app {

/// Looks at a profile database once when it comes into the window, off the window's thread: what cannot be
/// read of it is reported, so that what is shown is not taken for all.
class DamageWatch final : public QObject {
    Q_OBJECT

public:
    explicit DamageWatch(QObject* parent = nullptr)
        : QObject(parent) {}

    /// Nothing for a file that is not there, or was looked at last.
    void look(const std::filesystem::path& database);

signals:
    void found(const core::Diagnostics& damage);

private:
    std::filesystem::path m_path;
    views::LatestRunner m_runner;
};

} // namespace app
