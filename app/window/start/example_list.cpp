#include "app/window/start/example_list.h"

#include "app/services/run/stored_data.h"
#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "views/common/text/number_text.h"

#include <QRegularExpression>
#include <algorithm>
#include <map>

namespace app {

namespace fs = std::filesystem;

namespace {

/// Lines "| [name](path) | text |" of the README: path → text without marks.
std::map<QString, QString> textsOf(const fs::path& folder) {
    std::map<QString, QString> texts;
    const auto content = core::readFile(folder / "README.md", core::FileLimit::table);
    if (!content)
        return texts;
    static const QRegularExpression line(
        QStringLiteral(R"(^\| *\[[^\]]*\]\(([^)]+)\.ipuproj\) *\|(.*)\|\s*$)"),
        QRegularExpression::MultilineOption);
    // Links lead nowhere on a card.
    static const QRegularExpression link(QStringLiteral(R"(\[([^\]]*)\]\([^)]*\))"));
    auto matches = line.globalMatch(views::toQString(*content));
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        QString text = match.captured(2).trimmed().remove(u'`').replace(link, QStringLiteral("\\1"));
        text = text.left(1).toUpper() + text.mid(1);
        texts.emplace(match.captured(1), text);
    }
    return texts;
}

bool isExampleFolder(const fs::path& folder) {
    return !examplesIn(folder).empty();
}

} // namespace

fs::path exampleFolder() {
    return projectsFolder(isExampleFolder);
}

std::vector<Example> examplesIn(const fs::path& folder) {
    std::vector<Example> examples;
    const std::map<QString, QString> texts = textsOf(folder);
    std::error_code error;
    for (auto entry = fs::recursive_directory_iterator(folder, error);
         !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        if (entry->path().extension() != ".ipuproj" || !entry->is_regular_file(error))
            continue;
        fs::path name = entry->path().lexically_relative(folder);
        name.replace_extension();
        const QString key = views::toQString(name.string());
        const auto text = texts.find(key);
        examples.push_back({entry->path(), key, text == texts.end() ? QString() : text->second});
    }
    std::sort(examples.begin(), examples.end(), [](const Example& a, const Example& b) {
        const bool isTutorialA = a.name.startsWith(QStringLiteral("tutorial"));
        const bool isTutorialB = b.name.startsWith(QStringLiteral("tutorial"));
        return isTutorialA != isTutorialB ? isTutorialA : a.name < b.name;
    });
    return examples;
}

} // namespace app
