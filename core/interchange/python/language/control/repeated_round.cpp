#include "core/interchange/python/language/control/repeated_round.h"

#include "core/interchange/python/language/operators.h"

#include <algorithm>

namespace core {

namespace {

using Kind = PythonExpression::Kind;
using Statement = PythonStatement::Kind;

/// Whether an expression mentions one of the names; attributes are told by their last part.
bool mentions(const PythonExpression& expression, const std::set<std::string>& names) {
    if ((expression.kind == Kind::Name || expression.kind == Kind::Attribute) &&
        names.contains(expression.text))
        return true;
    const auto inner = [&](const PythonExpression& child) { return mentions(child, names); };
    return std::ranges::any_of(expression.children, inner) ||
           std::ranges::any_of(expression.keywords,
                               [&](const PythonKeyword& keyword) { return inner(keyword.value); });
}

void collectNames(const PythonExpression& target, std::set<std::string>& names) {
    if (target.kind == Kind::Name)
        names.insert(target.text);
    for (const PythonExpression& child : target.children)
        collectNames(child, names);
}

/// A statement that sets a name; `isSure`: every round does.
struct Change {
    const PythonStatement* statement = nullptr;
    bool isSure = true;
};

void collectChanges(const PythonBlock& block, const std::string& name, bool isSure,
                    std::vector<Change>& changes) {
    for (const PythonStatement& entry : block) {
        const bool sets = (entry.kind == Statement::Assignment || entry.kind == Statement::Augmented) &&
                          std::ranges::any_of(entry.targets, [&](const PythonExpression& target) {
                              return mentions(target, {name});
                          });
        if (sets)
            changes.push_back({&entry, isSure});
        if (entry.kind == Statement::Function || entry.kind == Statement::Class)
            continue;
        const bool isInner = isSure && entry.kind == Statement::With;
        for (const PythonBlock* inner : {&entry.body, &entry.orElse, &entry.handlers, &entry.atEnd})
            collectChanges(*inner, name, isInner, changes);
    }
}

/// What a statement adds to a name: `n += a`, `n = n + a`; null: it does something else.
const PythonExpression* addedBy(const PythonStatement& entry, const std::string& name) {
    const bool isOne = entry.targets.size() == 1 && entry.targets[0].text == name && !entry.values.empty();
    if (!isOne)
        return nullptr;
    const PythonExpression& value = entry.values[0];
    if (entry.kind == Statement::Augmented)
        return entry.text == "+" || entry.text == "-" ? &value : nullptr;
    const bool isSum = value.kind == Kind::Binary && (value.text == "+" || value.text == "-") &&
                       value.children.size() == 2 && value.children[0].text == name &&
                       value.children[0].kind == entry.targets[0].kind;
    return isSum ? &value.children[1] : nullptr;
}

/// Whether a round makes of a name something that depends on what it was before.
bool goesOn(const std::vector<Change>& changes, const std::string& name) {
    return std::ranges::any_of(changes, [&](const Change& change) {
        const PythonStatement& entry = *change.statement;
        return entry.kind == Statement::Augmented ||
               std::ranges::any_of(entry.values,
                                   [&](const PythonExpression& value) { return mentions(value, {name}); });
    });
}

/// Whether what a block does depends on one of the names.
bool asksFor(const PythonBlock& block, const std::set<std::string>& names) {
    return std::ranges::any_of(block, [&](const PythonStatement& entry) {
        const bool isQuestion = entry.kind == Statement::If || entry.kind == Statement::While ||
                                entry.kind == Statement::Match || entry.kind == Statement::Case;
        if (isQuestion && std::ranges::any_of(entry.values, [&](const PythonExpression& value) {
                return mentions(value, names);
            }))
            return true;
        return asksFor(entry.body, names) || asksFor(entry.orElse, names) || asksFor(entry.handlers, names) ||
               asksFor(entry.atEnd, names);
    });
}

} // namespace

PythonRepeatedRound::PythonRepeatedRound(PythonNames* names) {
    for (; names != nullptr; names = names->outer) {
        m_names.push_back({&names->values, names->values});
        if (names->yielded != nullptr)
            m_lists.push_back({names->yielded, names->yielded->size()});
        for (const auto& entry : names->values)
            remember(entry.second, 0);
    }
}

void PythonRepeatedRound::remember(const PythonValue& value, int depth) {
    constexpr int deepest = 2;
    constexpr std::size_t most = 64;
    if (depth > deepest)
        return;
    if (const auto* list = value.as<PythonList>(); list != nullptr && !list->isTuple) {
        if (std::ranges::find(m_lists, list->items, &List::items) != m_lists.end())
            return;
        m_lists.push_back({list->items, list->items->size(), list->isSet, list->longest});
        for (std::size_t i = 0; i < std::min(list->items->size(), most); ++i)
            remember((*list->items)[i], depth + 1);
    } else if (const auto* dictionary = value.as<PythonDictionary>()) {
        for (std::size_t i = 0; i < std::min(dictionary->entries->size(), most); ++i)
            remember((*dictionary->entries)[i].second, depth + 1);
    } else if (const auto* object = value.as<PythonInstance>();
               object != nullptr && object->definition->kind != PythonClassKind::Module &&
               object->definition->kind != PythonClassKind::Enumeration &&
               std::ranges::find(m_objects, object->attributes) == m_objects.end()) {
        m_objects.push_back(object->attributes);
        m_names.push_back({object->attributes.get(), *object->attributes});
        for (const auto& attribute : *object->attributes)
            remember(attribute.second, depth + 1);
    }
}

void PythonRepeatedRound::repeat(const PythonStatement& loop, std::int64_t rounds, bool isNumbered,
                                 const PythonValue& source) {
    if (rounds < 2)
        return;
    if (isNumbered)
        collectNames(loop.targets.at(0), m_open);
    repeatNumbers(loop, rounds, source);
    repeatLists(loop, rounds, isNumbered);
}

void PythonRepeatedRound::repeatNumbers(const PythonStatement& loop, std::int64_t rounds,
                                        const PythonValue& source) {
    struct Number {
        std::string name;
        PythonValue before;
        PythonValue* now = nullptr;
        std::vector<Change> changes;
    };
    std::vector<Number> numbers;
    for (const Names& scope : m_names)
        for (const auto& [name, before] : scope.before) {
            const auto here = scope.values->find(name);
            const bool isPlain = before.isNumber() || before.isText();
            if (!isPlain || here == scope.values->end() || areEqual(before, here->second))
                continue;
            Number number{name, before, &here->second, {}};
            collectChanges(loop.body, name, true, number.changes);
            // Where a function of the program changes it, how is not looked at.
            if (number.changes.empty() || goesOn(number.changes, name))
                numbers.push_back(std::move(number));
        }
    for (const Number& number : numbers)
        m_open.insert(number.name);
    for (const Number& number : numbers) {
        const PythonExpression* added = number.changes.size() == 1 && number.changes[0].isSure
                                            ? addedBy(*number.changes[0].statement, number.name)
                                            : nullptr;
        std::optional<PythonValue> last;
        if (added != nullptr && !mentions(*added, m_open) && number.now->isNumber())
            if (const auto step = binaryOperation("-", *number.now, number.before))
                if (const auto all = binaryOperation("*", *step, pythonConstant(rounds)))
                    last = binaryOperation("+", number.before, *all);
        *number.now = last ? std::move(*last) : partOfRun(source);
    }
}

void PythonRepeatedRound::repeatLists(const PythonStatement& loop, std::int64_t rounds, bool isNumbered) {
    std::set<std::string> asked = m_open;
    for (const Names& scope : m_names)
        for (const auto& [name, value] : *scope.values)
            if (const auto* list = value.as<PythonList>())
                if (const auto known = std::ranges::find(m_lists, list->items, &List::items);
                    known != m_lists.end() && known->size != list->items->size())
                    asked.insert(name);
    const std::int64_t alike = asksFor(loop.body, asked) ? PythonData::unknownCount : rounds;
    const bool areOpen = isNumbered || !m_open.empty();
    for (const List& list : m_lists)
        if (list.items->size() != list.size) {
            grow(*list.items, list.size, list.isSet ? PythonData::unknownCount : alike, areOpen);
            trimFront(*list.items, list.longest);
        }
    // `list = list + [value]` makes another list.
    for (const Names& scope : m_names)
        for (const auto& [name, before] : scope.before) {
            const auto here = scope.values->find(name);
            const auto* list = here == scope.values->end() ? nullptr : here->second.as<PythonList>();
            const auto* old = before.as<PythonList>();
            if (list == nullptr || old == nullptr || list->items == old->items ||
                list->items->size() == old->items->size())
                continue;
            std::vector<Change> changes;
            collectChanges(loop.body, name, true, changes);
            const bool isAdded =
                changes.size() == 1 && changes[0].isSure && addedBy(*changes[0].statement, name) != nullptr;
            if (goesOn(changes, name))
                grow(*list->items, old->items->size(), isAdded ? alike : PythonData::unknownCount, areOpen);
        }
}

/// The values behind the first `before` came in one of so many rounds.
void PythonRepeatedRound::grow(PythonValues& items, std::size_t before, std::int64_t rounds,
                               bool areNumbersOpen) {
    const bool isLess = items.size() < before;
    PythonValues added;
    if (!isLess)
        added.assign(items.begin() + static_cast<std::ptrdiff_t>(before), items.end());
    if (areNumbersOpen)
        for (PythonValue& value : added)
            value = likeOthers(value);
    std::int64_t all = PythonData::unknownCount;
    const bool isKnown = !isLess && rounds >= 0 &&
                         !__builtin_mul_overflow(rounds, static_cast<std::int64_t>(added.size()), &all);
    if (isKnown && all <= mostFollowed) {
        items.resize(before);
        for (std::int64_t round = 0; round < rounds; ++round)
            items.insert(items.end(), added.begin(), added.end());
        return;
    }
    items.resize(std::min(before, items.size()));
    const PythonValue one = added.size() == 1 ? added[0] : PythonValue(PythonData());
    items.push_back(pythonMany(one, isKnown ? all : PythonData::unknownCount));
}

} // namespace core
