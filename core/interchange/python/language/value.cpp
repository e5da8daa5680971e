#include "core/interchange/python/language/value.h"

#include <algorithm>

namespace core {

namespace {

/// Deeper than programs nest, and shallow enough for the stack.
constexpr int deepestValue = 64;

thread_local std::int64_t listBytes = 0;
thread_local std::int64_t textBytes = 0;

/// Counts its values as long as it lives, with the size that it was made with: a program can only append one
/// by one to it.
struct CountedValues : PythonValues {
    explicit CountedValues(PythonValues items)
        : PythonValues(std::move(items))
        , bytes(bytesOf(*this)) {
        listBytes += bytes;
    }
    ~CountedValues() { listBytes -= bytes; }
    CountedValues(const CountedValues&) = delete;
    CountedValues& operator=(const CountedValues&) = delete;

    std::int64_t bytes;
};

std::shared_ptr<PythonValues> counted(PythonValues items) {
    std::shared_ptr<PythonValues> made = std::make_shared<CountedValues>(std::move(items));
    if (listBytes > mostListBytes)
        throw PythonTooLarge();
    return made;
}

} // namespace

bool PythonValue::isNone() const {
    return is<PythonConstant>() && constant().is_null();
}

bool PythonValue::isText() const {
    return is<PythonConstant>() && constant().is_string();
}

bool PythonValue::isNumber() const {
    return is<PythonConstant>() && constant().is_number();
}

bool PythonValue::isWhole() const {
    return is<PythonConstant>() && constant().is_number_integer();
}

const Json& PythonValue::constant() const {
    static const Json none;
    const auto* value = as<PythonConstant>();
    return value == nullptr ? none : value->json;
}

const PythonValues& PythonValue::items() const {
    static const PythonValues none;
    const auto* list = as<PythonList>();
    return list == nullptr ? none : *list->items;
}

std::int64_t bytesOf(const PythonValues& items) {
    auto bytes = static_cast<std::int64_t>(items.size() * sizeof(PythonValue));
    for (const PythonValue& item : items)
        if (item.isText())
            bytes += static_cast<std::int64_t>(item.constant().get_ref<const std::string&>().size());
    return bytes;
}

void forgetTexts() {
    textBytes = 0;
}

PythonValue pythonConstant(Json json) {
    return PythonConstant{std::move(json)};
}

PythonLibraryObject pythonObject(std::string className) {
    return {std::move(className), std::make_shared<std::map<std::string, PythonValue>>()};
}

PythonValue pythonText(std::string text) {
    textBytes += static_cast<std::int64_t>(text.size());
    if (textBytes > mostTextBytes)
        throw PythonTooLarge();
    return PythonConstant{Json(std::move(text))};
}

PythonValue pythonList(PythonValues items, bool isTuple) {
    return PythonList{counted(std::move(items)), isTuple};
}

PythonValue pythonSet(PythonValues items) {
    // How many of those that only a run knows are alike only a run knows.
    const auto isOfRun = [](const PythonValue& item) {
        const auto* data = item.as<PythonData>();
        return data != nullptr && !data->standsForMany;
    };
    if (std::ranges::count_if(items, isOfRun) > 1) {
        PythonValue many = pythonMany(*std::ranges::find_if(items, isOfRun), PythonData::unknownCount);
        std::erase_if(items, isOfRun);
        items.push_back(std::move(many));
    }
    PythonValues once;
    for (PythonValue& item : items)
        if (std::ranges::none_of(once, [&](const PythonValue& one) { return areEqual(one, item); }))
            once.push_back(std::move(item));
    return PythonList{counted(std::move(once)), false, true, false};
}

PythonValue pythonIterator(PythonValues items) {
    return PythonList{counted(std::move(items)), false, false, true};
}

PythonValue pythonDictionary(std::vector<std::pair<PythonValue, PythonValue>> entries) {
    return PythonDictionary{
        std::make_shared<std::vector<std::pair<PythonValue, PythonValue>>>(std::move(entries)), nullptr};
}

PythonValue dictionaryOfAttributes(const std::shared_ptr<std::map<std::string, PythonValue>>& attributes) {
    std::vector<std::pair<PythonValue, PythonValue>> entries;
    for (const auto& [name, value] : *attributes)
        if (!name.starts_with('$'))
            entries.emplace_back(pythonText(name), value);
    PythonValue made = pythonDictionary(std::move(entries));
    std::get<PythonDictionary>(made.content).attributes = attributes;
    return made;
}

void writeAttributes(const PythonValue& dictionary) {
    const auto* names = dictionary.as<PythonDictionary>();
    if (names == nullptr || names->attributes == nullptr)
        return;
    std::erase_if(*names->attributes, [](const auto& entry) { return !entry.first.starts_with('$'); });
    for (const auto& [key, value] : *names->entries)
        if (key.isText())
            (*names->attributes)[key.constant().get<std::string>()] = value;
}

const PythonFunction* PythonClass::function(const std::string& wanted) const {
    const auto found = functions.find(wanted);
    if (found != functions.end())
        return &found->second;
    return parent == nullptr ? nullptr : parent->function(wanted);
}

const PythonValue* PythonClass::attribute(const std::string& wanted) const {
    const auto found = attributes->find(wanted);
    if (found != attributes->end())
        return &found->second;
    return parent == nullptr ? nullptr : parent->attribute(wanted);
}

namespace {

/// Things with a name or a place of their own that are the same one.
bool areSameThing(const PythonValue& a, const PythonValue& b) {
    if (const auto* left = a.as<PythonInstance>())
        return left->attributes == b.as<PythonInstance>()->attributes;
    if (const auto* left = a.as<PythonClassName>())
        return left->definition == b.as<PythonClassName>()->definition;
    if (const auto* left = a.as<PythonLibraryName>())
        return left->path == b.as<PythonLibraryName>()->path;
    if (const auto* left = a.as<PythonFunction>())
        return left->definition == b.as<PythonFunction>()->definition &&
               left->scope == b.as<PythonFunction>()->scope;
    if (const auto* left = a.as<PythonMethod>()) {
        const auto* right = b.as<PythonMethod>();
        return left->name == right->name && left->owner->content.index() == right->owner->content.index() &&
               areSameThing(*left->owner, *right->owner);
    }
    if (const auto* left = a.as<PythonLayerName>())
        return left->layer == b.as<PythonLayerName>()->layer;
    if (const auto* left = a.as<PythonModelName>())
        return left->model == b.as<PythonModelName>()->model;
    return a.is<PythonEllipsis>();
}

/// Walks values as far as that is worth it.
class ValueWalk {
public:
    bool areEqual(const PythonValue& a, const PythonValue& b, int depth = 0) {
        if (!goOn(depth) || a.content.index() != b.content.index())
            return false;
        if (a.is<PythonConstant>()) {
            const auto number = [](const Json& json) {
                return json.is_boolean() ? Json(json.get<bool>() ? 1 : 0) : json;
            };
            return number(a.constant()) == number(b.constant());
        }
        if (const auto* list = a.as<PythonList>(); list != nullptr && list->isSet)
            return list->items->size() == b.items().size() && b.as<PythonList>()->isSet &&
                   std::ranges::all_of(*list->items, [&](const auto& left) {
                       return std::ranges::any_of(
                           b.items(), [&](const auto& right) { return areEqual(left, right, depth + 1); });
                   });
        if (const auto* list = a.as<PythonList>())
            return list->isTuple == b.as<PythonList>()->isTuple &&
                   std::ranges::equal(a.items(), b.items(), [&](const auto& left, const auto& right) {
                       return areEqual(left, right, depth + 1);
                   });
        const auto* left = a.as<PythonDictionary>();
        if (left == nullptr)
            return areSameThing(a, b);
        const auto& right = *b.as<PythonDictionary>()->entries;
        return left->entries->size() == right.size() &&
               std::ranges::all_of(*left->entries, [&](const auto& entry) {
                   return std::ranges::any_of(right, [&](const auto& other) {
                       return areEqual(entry.first, other.first, depth + 1) &&
                              areEqual(entry.second, other.second, depth + 1);
                   });
               });
    }

    bool reaches(const PythonValue& value, const void* holder, int depth = 0) {
        if (!goOn(depth))
            return true;
        const auto within = [&](const PythonValue& inner) { return reaches(inner, holder, depth + 1); };
        if (const auto* list = value.as<PythonList>())
            return list->items.get() == holder || std::ranges::any_of(*list->items, within);
        if (const auto* dictionary = value.as<PythonDictionary>())
            return dictionary->entries.get() == holder ||
                   std::ranges::any_of(*dictionary->entries, [&](const auto& entry) {
                       return within(entry.first) || within(entry.second);
                   });
        if (const auto* object = value.as<PythonInstance>())
            return object->attributes.get() == holder ||
                   std::ranges::any_of(*object->attributes,
                                       [&](const auto& entry) { return within(entry.second); });
        if (const auto* object = value.as<PythonLibraryObject>())
            return object->attributes.get() == holder ||
                   std::ranges::any_of(*object->attributes,
                                       [&](const auto& entry) { return within(entry.second); });
        // An object that keeps a function of its own is no data that holds itself.
        const auto* method = value.as<PythonMethod>();
        return method != nullptr && !method->owner->is<PythonInstance>() && within(*method->owner);
    }

    bool holdsMethod(const PythonValue& value, int depth = 0) {
        if (!goOn(depth))
            return false;
        const auto within = [&](const PythonValue& inner) { return holdsMethod(inner, depth + 1); };
        if (const auto* list = value.as<PythonList>())
            return std::ranges::any_of(*list->items, within);
        if (const auto* dictionary = value.as<PythonDictionary>())
            return std::ranges::any_of(*dictionary->entries, [&](const auto& entry) {
                return within(entry.first) || within(entry.second);
            });
        if (const auto* object = value.as<PythonLibraryObject>())
            return std::ranges::any_of(*object->attributes,
                                       [&](const auto& entry) { return within(entry.second); });
        const auto* method = value.as<PythonMethod>();
        return method != nullptr && method->owner->is<PythonInstance>();
    }

private:
    bool goOn(int depth) {
        constexpr int most = 200000;
        return depth <= deepestValue && ++m_steps <= most;
    }

    int m_steps = 0;
};

} // namespace

bool areEqual(const PythonValue& a, const PythonValue& b) {
    return ValueWalk().areEqual(a, b);
}

bool canHold(const void* holder, const PythonValue& value) {
    return !ValueWalk().reaches(value, holder);
}

bool holdsMethod(const PythonValue& value) {
    return ValueWalk().holdsMethod(value);
}

const PythonData* gradientsIn(const PythonValue& value) {
    if (const auto* data = value.as<PythonData>())
        return data->isGradient ? data : data->element != nullptr ? gradientsIn(*data->element) : nullptr;
    for (const PythonValue& item : value.items())
        if (const PythonData* found = gradientsIn(item))
            return found;
    return nullptr;
}

void keepGradients(const PythonValue& value, PythonData& made) {
    const PythonData* gradients = gradientsIn(value);
    if (gradients == nullptr)
        return;
    made.isGradient = true;
    made.factor = gradients->factor;
    made.decay = gradients->decay;
    made.decaysClipped = gradients->decaysClipped;
    made.areSummed = gradients->areSummed;
    made.areAveraged = gradients->areAveraged;
    made.lossTaken = gradients->lossTaken;
    made.gradientOf = gradients->gradientOf;
    made.gradientsOf = gradients->gradientsOf;
    made.isLeftOut = gradients->isLeftOut;
}

namespace {

const std::string* unreadWithin(const PythonValue& value, int depth) {
    if (const auto* data = value.as<PythonData>())
        return data->unread.empty() ? nullptr : &data->unread;
    if (const auto* part = value.as<PythonMethod>())
        return part->owner->is<PythonData>() ? unreadWithin(*part->owner, depth) : nullptr;
    constexpr std::size_t looked = 16; // a message names one of them
    const PythonValues& items = value.items();
    for (std::size_t i = 0; depth > 0 && i < std::min(items.size(), looked); ++i)
        if (const std::string* found = unreadWithin(items[i], depth - 1))
            return found;
    return nullptr;
}

} // namespace

const std::string* unreadIn(const PythonValue& value) {
    return unreadWithin(value, 2);
}

void keepUnread(const PythonValue& from, PythonValue& made) {
    auto* data = std::get_if<PythonData>(&made.content);
    const std::string* known = data == nullptr || !data->unread.empty() ? nullptr : unreadIn(from);
    if (known != nullptr)
        data->unread = *known;
}

PythonValue partOfRun(const PythonValue& value) {
    PythonData made;
    const auto* data = value.as<PythonData>();
    if (data != nullptr && data->isGradient && data->element != nullptr) // pairs with their variables
        return *data->element;
    if (data != nullptr) {
        made.origin = data->origin;
        made.unread = data->unread;
        made.cure = data->cure;
        made.weights = data->weights;
        made.weightKind = data->weightKind;
        made.penalty = data->penalty;
    }
    keepGradients(value, made);
    return made;
}

const PythonValue* manyIn(const PythonValue& list) {
    const auto* values = list.as<PythonList>();
    if (values == nullptr)
        return nullptr;
    const auto many = std::ranges::find_if(*values->items, [](const PythonValue& item) {
        const auto* data = item.as<PythonData>();
        return data != nullptr && data->standsForMany;
    });
    return many == values->items->end() ? nullptr : &*many;
}

PythonValue pythonMany(const PythonValue& item, std::int64_t count) {
    PythonData many = *partOfRun(item.is<PythonData>() ? item : PythonValue(PythonData())).as<PythonData>();
    many.standsForMany = true;
    many.element = std::make_shared<const PythonValue>(item);
    many.count = count;
    return many;
}

std::optional<std::int64_t> lengthOf(const PythonList& list) {
    std::int64_t length = 0;
    for (const PythonValue& item : *list.items) {
        const auto* many = item.as<PythonData>();
        const bool isMany = many != nullptr && many->standsForMany;
        if ((isMany && many->count < 0) ||
            __builtin_add_overflow(length, isMany ? many->count : std::int64_t{1}, &length))
            return std::nullopt;
    }
    return length;
}

PythonValue likeOthers(const PythonValue& value) {
    if (value.isText())
        return PythonData();
    if (value.isNumber()) {
        PythonData number;
        number.shape = Json::array();
        number.areWhole = value.isWhole();
        return number;
    }
    if (const auto* list = value.as<PythonList>()) {
        PythonList alike = *list;
        alike.items = std::make_shared<PythonValues>();
        for (const PythonValue& item : *list->items)
            alike.items->push_back(likeOthers(item));
        return alike;
    }
    if (const auto* dictionary = value.as<PythonDictionary>()) {
        std::vector<std::pair<PythonValue, PythonValue>> entries;
        for (const auto& [key, entry] : *dictionary->entries)
            entries.emplace_back(key, likeOthers(entry));
        return pythonDictionary(std::move(entries));
    }
    return value;
}

bool isSample(const PythonValue& value) {
    if (const auto* dictionary = value.as<PythonDictionary>())
        return std::ranges::all_of(*dictionary->entries,
                                   [](const auto& entry) { return isSample(entry.second); });
    if (const auto* object = value.as<PythonInstance>())
        return object->definition->kind == PythonClassKind::NamedTuple &&
               std::ranges::all_of(*object->attributes,
                                   [](const auto& attribute) { return isSample(attribute.second); });
    return value.is<PythonData>() || value.isNumber() || value.isText() ||
           (value.is<PythonList>() && std::ranges::all_of(value.items(), isSample));
}

void appendValue(PythonValues& items, PythonValue value) {
    constexpr std::size_t longest = 131072;
    auto* many = items.size() == 1 ? std::get_if<PythonData>(&items.front().content) : nullptr;
    if (many != nullptr && many->standsForMany && many->count >= static_cast<std::int64_t>(longest)) {
        ++many->count;
        return;
    }
    items.push_back(std::move(value));
    const bool isPlain = items.size() == longest && std::ranges::none_of(items, [](const PythonValue& item) {
                             const auto* data = item.as<PythonData>();
                             return data != nullptr && data->standsForMany;
                         });
    if (isPlain)
        items = {pythonMany(likeOthers(items.front()), static_cast<std::int64_t>(items.size()))};
}

void trimFront(PythonValues& items, std::int64_t longest) {
    constexpr std::int64_t mostMoved = 4096;
    const auto size = static_cast<std::int64_t>(items.size());
    auto* many = items.size() == 1 ? std::get_if<PythonData>(&items.front().content) : nullptr;
    if (longest >= 0 && many != nullptr && many->standsForMany && many->count > longest)
        many->count = longest;
    if (longest < 0 || size <= longest)
        return;
    const auto excess = static_cast<std::ptrdiff_t>(size - longest);
    if (longest <= mostMoved) {
        items.erase(items.begin(), items.begin() + excess);
        return;
    }
    // Too many to be moved each time: the last stands for what was in its place, too.
    items.erase(items.end() - excess, items.end());
    items.back() = likeOthers(items.back());
}

// Classes with several bases.

namespace {

/// A class and its parents.
using Chain = std::vector<std::shared_ptr<const PythonClass>>;

/// Whether a class stands behind the first of a chain.
bool isBehind(const Chain& chain, const PythonClass& type) {
    return chain.size() > 1 && std::any_of(chain.begin() + 1, chain.end(),
                                           [&](const auto& other) { return isSameClass(*other, type); });
}

/// Python's C3 order: a class comes before its bases, and bases in the order in which they are named.
Chain merged(std::vector<Chain> chains) {
    Chain order;
    while (true) {
        std::erase_if(chains, [](const Chain& chain) { return chain.empty(); });
        if (chains.empty())
            return order;
        auto next = std::ranges::find_if(chains, [&](const Chain& chain) {
            return std::ranges::none_of(chains,
                                        [&](const Chain& other) { return isBehind(other, *chain.front()); });
        });
        if (next == chains.end()) // Python refuses such a class
            next = chains.begin();
        order.push_back(next->front());
        for (Chain& chain : chains)
            std::erase_if(chain, [&](const auto& type) { return isSameClass(*type, *order.back()); });
    }
}

} // namespace

bool isSameClass(const PythonClass& a, const PythonClass& b) {
    return a.attributes == b.attributes;
}

bool isDerivedFrom(const PythonClass* type, const PythonClass& base) {
    while (type != nullptr && !isSameClass(*type, base))
        type = type->parent.get();
    return type != nullptr;
}

std::shared_ptr<const PythonClass>
chainOfBases(const std::vector<std::shared_ptr<const PythonClass>>& bases) {
    std::vector<Chain> chains;
    for (const auto& base : bases) {
        chains.emplace_back();
        for (auto type = base; type != nullptr; type = type->parent)
            chains.back().push_back(type);
    }
    chains.push_back(bases);
    const Chain order = merged(std::move(chains));
    std::shared_ptr<const PythonClass> chain;
    for (auto type = order.rbegin(); type != order.rend(); ++type) {
        if ((*type)->parent == chain) {
            chain = *type;
            continue;
        }
        auto copy = std::make_shared<PythonClass>(**type);
        if (copy->base.empty() && chain != nullptr)
            copy->base = chain->base;
        copy->parent = std::move(chain);
        chain = std::move(copy);
    }
    return chain;
}

} // namespace core
