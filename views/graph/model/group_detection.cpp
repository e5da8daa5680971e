#include "views/graph/model/group_detection.h"

#include "views/common/text/number_text.h"

#include <QHash>
#include <QStringView>
#include <algorithm>
#include <tuple>
#include <utility>

namespace views {

namespace {

bool isSeparator(QChar c) {
    return c == u'_' || c == u'/' || c == u'.';
}

bool isNumber(QStringView text) {
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](QChar c) { return c.isDigit(); });
}

/// "dense", "dense_1", "dense_2" are numbered copies, not parts of something called "dense".
bool hasDifferentEndings(const CanvasModel& model, const std::vector<int>& members, qsizetype prefixLength) {
    QStringView first;
    for (const int node : members) {
        const QStringView ending = QStringView(model.nodes[std::size_t(node)].name).mid(prefixLength + 1);
        if (isNumber(ending) || ending.isEmpty())
            continue;
        if (!first.isEmpty() && ending != first)
            return true;
        first = ending;
    }
    return false;
}

/// A beginning of names of nodes, in the group around them.
struct Prefix {
    int parent = -1;
    QStringView text;

    bool operator==(const Prefix&) const = default;
    friend std::size_t qHash(const Prefix& prefix, std::size_t seed) {
        return qHashMulti(seed, prefix.parent, prefix.text);
    }
};

/// Nodes by every beginning of their names that ends before a separator, ascending. Its texts are those of
/// the nodes.
QHash<Prefix, std::vector<int>> candidatesOf(const CanvasModel& model) {
    QHash<Prefix, std::vector<int>> candidates;
    for (std::size_t node = 0; node < model.nodes.size(); ++node) {
        const QStringView name = model.nodes[node].name;
        for (qsizetype i = 1; i + 1 < name.size(); ++i) {
            if (isSeparator(name[i]))
                candidates[{model.groupOf[node], name.left(i)}].push_back(int(node));
        }
    }
    return candidates;
}

} // namespace

bool isConvex(const CanvasModel& model, const std::vector<int>& members) {
    if (members.empty())
        return true;
    const auto first = std::size_t(members.front());
    const auto last = std::size_t(members.back());
    // Nodes are in topological order, so a path that comes back runs through nodes between the first and the
    // last.
    std::vector<bool> isMember(last - first + 1, false);
    std::vector<bool> isBelow(last - first + 1, false);
    for (const int node : members)
        isMember[std::size_t(node) - first] = true;
    for (std::size_t i = first; i <= last; ++i) {
        const bool inside = isMember[i - first];
        if (inside && isBelow[i - first])
            return false;
        if (!inside && !isBelow[i - first])
            continue;
        for (const int edge : model.outgoing[i]) {
            const auto to = std::size_t(model.edges[std::size_t(edge)].to);
            if (to > last || (inside && isMember[to - first]))
                continue;
            isBelow[to - first] = true;
        }
    }
    return true;
}

int addGroup(CanvasModel& model, const std::string& id, CanvasGroup::Origin origin,
             std::vector<int> members) {
    std::sort(members.begin(), members.end());
    if (members.size() < 2)
        return -1;
    const int parent = model.groupOf[std::size_t(members.front())];
    const bool cutsThrough = std::any_of(
        members.begin(), members.end(), [&](int node) { return model.groupOf[std::size_t(node)] != parent; });
    if (cutsThrough || !isConvex(model, members))
        return -1;
    CanvasGroup group;
    group.id = id;
    group.title = toQString(id.substr(id.rfind('/') == std::string::npos ? 0 : id.rfind('/') + 1));
    group.origin = origin;
    group.parent = parent;
    const int index = int(model.groups.size());
    for (const int node : members)
        model.groupOf[std::size_t(node)] = index;
    group.members = std::move(members);
    model.groups.push_back(std::move(group));
    return index;
}

void detectNameGroups(CanvasModel& model, std::size_t leastMembers) {
    const QHash<Prefix, std::vector<int>> candidates = candidatesOf(model);
    std::vector<std::pair<Prefix, const std::vector<int>*>> order;
    for (auto it = candidates.begin(); it != candidates.end(); ++it) {
        if (it->size() >= leastMembers && it->size() < model.nodes.size())
            order.emplace_back(it.key(), &*it);
    }
    // Inner blocks before those around them.
    std::ranges::sort(order, [](const auto& a, const auto& b) {
        return std::tuple(-a.first.text.size(), a.first.parent, a.first.text) <
               std::tuple(-b.first.text.size(), b.first.parent, b.first.text);
    });
    for (const auto& [candidate, nodes] : order) {
        const auto& [parent, prefix] = candidate;
        const std::vector<int>& members = *nodes;
        // A prefix whose layers are scattered over the model is a kind of layer, not a block.
        const bool isCompact = std::size_t(members.back() - members.front()) < 3 * members.size() + 8;
        if (!isCompact || !hasDifferentEndings(model, members, prefix.size()))
            continue;
        std::string id = parent < 0 ? std::string() : model.groups[std::size_t(parent)].id + "/";
        addGroup(model, id + prefix.toString().toStdString(), CanvasGroup::Origin::Name, members);
    }
}

QString nameWithin(const CanvasModel& model, int node) {
    const QString& name = model.nodes[std::size_t(node)].name;
    const int group = model.groupOf[std::size_t(node)];
    if (group < 0)
        return name;
    const QString& title = model.groups[std::size_t(group)].title;
    if (name.size() > title.size() + 1 && name.startsWith(title) && isSeparator(name[title.size()]))
        return name.mid(title.size() + 1);
    return name;
}

} // namespace views
