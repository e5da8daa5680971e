#include "views/common/text/finding_text.h"

#include "core/model/graph/layer_catalogue.h"

#include <QRegularExpression>
#include <QSet>
#include <algorithm>

namespace views {

namespace {

const QSet<QString>& attributeNames() {
    static const QSet<QString> names = [] {
        QSet<QString> all;
        for (const core::LayerDefinition& definition : core::layerCatalogue()) {
            for (const core::AttributeDefinition& attribute : definition.attributes)
                all.insert(toQString(attribute.name));
        }
        return all;
    }();
    return names;
}

bool isPlainWord(const QString& word) {
    return std::ranges::all_of(word, [](QChar letter) { return letter.isLower() && letter.isLetter(); });
}

QString withUnits(const QString& message, ByteUnit unit) {
    static const QRegularExpression count(QStringLiteral("(\\d{4,}) bytes"));
    QString text;
    qsizetype from = 0;
    for (auto matches = count.globalMatch(message); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        text += message.mid(from, match.capturedStart() - from) +
                bytesText(core::Bytes(match.captured(1).toLongLong()), unit).joined();
        from = match.capturedEnd();
    }
    return text + message.mid(from);
}

} // namespace

QString findingText(const QString& message, const core::ModelGraph* model, ByteUnit unit) {
    const QString text = withUnits(message, unit);
    static const QRegularExpression wordEnd(QStringLiteral("[\\s,;:]"));
    const QString first = text.section(wordEnd, 0, 0);
    const bool isName = !isPlainWord(first) || attributeNames().contains(first) ||
                        (model != nullptr && model->findLayer(first.toStdString()));
    return isName ? text : text.left(1).toUpper() + text.mid(1);
}

} // namespace views
