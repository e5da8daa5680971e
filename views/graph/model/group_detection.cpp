#include "views/graph/model/group_detection.h"

#include "views/common/text/number_text.h"

#include <algorithm>
#include <map>
#include <set>

namespace views {

namespace {

bool isSeparator(QChar c) {
    return c == u'_' || c == u'/' || c == u'.';
}

bool isNumber(QStringView text) {
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](QChar c) { return c.isDigit(); });
}

/// Every beginning of a name that ends before a separator.
std::vector<QString> prefixesOf(const QString& name) {
    std::vector<QString> prefixes;
    for (qsizetype i = 1; i + 1 < name.size(); ++i) {
        if (isSeparator(name[i]))
            prefixes.push_back(name.left(i));
    }
    return prefixes;
}

/// "dense", "dense_1", "dense_2" are numbered copies, not parts of something called "dense".
bool hasDifferentEndings(const CanvasModel& model, const std::vector<int>& members, qsizetype prefixLength) {
    std::set<QString> endings;
    for (const int node : members) {
        const QString ending = model.nodes[std::size_t(node)].name.mid(prefixLength + 1);
        if (!isNumber(ending) && !ending.isEmpty())
            endings.insert(ending);
    }
    return endings.size() >= 2;
}

/// (enclosing group, prefix) → nodes, ascending.
using Candidates = std::map<std::pair<int, QString>, std::vector<int>>;

Candidates candidatesOf(const CanvasModel& model) {
    Candidates candidates;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        for (const QString& prefix : prefixesOf(model.nodes[i].name))
            candidates[{model.groupOf[i], prefix}].push_back(int(i));
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
    const Candidates candidates = candidatesOf(model);
    std::vector<Candidates::const_iterator> order;
    for (auto it = candidates.begin(); it != candidates.end(); ++it) {
        if (it->second.size() >= leastMembers && it->second.size() < model.nodes.size())
            order.push_back(it);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a->first.second.size() > b->first.second.size();
    });
    for (const auto& candidate : order) {
        const auto& [parent, prefix] = candidate->first;
        const std::vector<int>& members = candidate->second;
        // A prefix whose layers are scattered over the model is a kind of layer, not a block.
        const bool isCompact = std::size_t(members.back() - members.front()) < 3 * members.size() + 8;
        if (!isCompact || !hasDifferentEndings(model, members, prefix.size()))
            continue;
        std::string id = parent < 0 ? std::string() : model.groups[std::size_t(parent)].id + "/";
        addGroup(model, id + prefix.toStdString(), CanvasGroup::Origin::Name, members);
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
