#include "app/window/dialogs/grant_question.h"

#include "app/services/run/project_wants.h"
#include "core/base/file.h"
#include "views/common/text/number_text.h"

#include <QCoreApplication>
#include <QCryptographicHash>

namespace app {

namespace {

QString question(const char* source) {
    return QCoreApplication::translate("GrantQuestion", source);
}

QString hashOf(const std::string& bytes) {
    return QString::fromLatin1(QCryptographicHash::hash(QByteArrayView(bytes.data(), qsizetype(bytes.size())),
                                                        QCryptographicHash::Sha256)
                                   .toHex());
}

/// Asks once for what the mark stands for.
bool isAllowed(const QString& mark, const QString& text, const QString& detail, Dialogs& dialogs,
               WindowSettings& settings) {
    if (settings.isGranted(mark))
        return true;
    if (!dialogs.confirm(text, detail, question("Allow")))
        return false;
    settings.grant(mark);
    return true;
}

} // namespace

std::optional<core::ProjectGrants> askGrants(const core::Project& project,
                                             const std::filesystem::path& folder, Dialogs& dialogs,
                                             WindowSettings& settings) {
    core::ProjectGrants grants;
    const ProjectWants wants = projectWants(project, folder);
    for (const std::filesystem::path& library : wants.libraries) {
        const auto bytes = core::readFile(library);
        // The run says what is wrong with a library that is not there.
        if (!bytes)
            continue;
        const QString hash = hashOf(*bytes);
        const QString file = views::toQString(library.string());
        if (!isAllowed(QStringLiteral("code ") + hash, question("Load the library %1?").arg(file),
                       question("The project runs its code, with everything that you may do yourself.\n"
                                "SHA-256 %1")
                           .arg(hash),
                       dialogs, settings))
            return std::nullopt;
        grants.libraries.emplace(library, *bytes);
    }
    if (wants.outside.empty())
        return grants;
    QStringList files;
    for (const std::filesystem::path& file : wants.outside)
        files << views::toQString(file.string());
    const std::string asked = core::namedFile(folder, ".").string() + '\n' + files.join('\n').toStdString();
    grants.outside = isAllowed(QStringLiteral("outside ") + hashOf(asked),
                               question("Let the run write outside the project's folder?"), files.join('\n'),
                               dialogs, settings);
    return grants.outside ? std::optional(grants) : std::nullopt;
}

} // namespace app
