#include "views/profile/empty_reason.h"

#include "views/common/text/number_text.h"
#include "views/common/widgets/empty_view.h"
#include "views/profile/profile_source.h"

#include <QObject>

namespace views {

void explainEmpty(EmptyView& view, const QString& iconName, const QString& promise,
                  const ProfileSource& source, bool hasRun, const core::Diagnostics& trouble) {
    if (!trouble.empty()) {
        const core::Diagnostic& first = trouble.front();
        const auto sentence = [](QString text) { return text.left(1).toUpper() + text.mid(1); };
        return view.setContent(iconName, sentence(toQString(first.message)),
                               first.hints.empty() ? QString() : sentence(toQString(first.hints.front())));
    }
    if (source.path().empty())
        return view.setContent(iconName, QObject::tr("No project is open"),
                               QObject::tr("Open or create a project; its runs appear here."));
    if (hasRun)
        return view.setContent(iconName, QObject::tr("Reading the run …"), {});
    view.setContent(iconName, QObject::tr("No run yet"), promise, QObject::tr("Run"));
}

} // namespace views
