// What is bound to names, attributes and elements.
#include "core/interchange/python/language/interpreter.h"
#include "core/interchange/python/language/operators.h"
#include "core/interchange/python/language/value_methods.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using Kind = PythonExpression::Kind;

/// A part of what only a run knows, such as options.threading of a dataset: so is what is put into it.
bool isPartOfRun(const PythonValue& owner) {
    const auto* part = owner.as<PythonMethod>();
    return part != nullptr && part->owner->is<PythonData>();
}

} // namespace

void PythonInterpreter::bind(const std::string& name, PythonValue value) {
    const auto elsewhere = m_names->elsewhere.find(name);
    PythonNames* const names = elsewhere == m_names->elsewhere.end() ? m_names : elsewhere->second;
    names->values[name] = std::move(value);
}

void PythonInterpreter::assign(const PythonExpression& target, const PythonValue& value) {
    switch (target.kind) {
    case Kind::Name:
        return bind(target.text, value);
    case Kind::Tuple:
    case Kind::List:
        return unpack(target, value);
    case Kind::Attribute:
        return assignAttribute(target, value);
    case Kind::Subscript:
        return assignElement(target, value);
    default:
        m_messages.refuse(target.place, "python/unsupported", "an assignment to this is not followed",
                          {"assign to a name"});
    }
}

/// a, *b, c = values.
void PythonInterpreter::unpack(const PythonExpression& target, const PythonValue& value) {
    const std::size_t count = target.children.size();
    const auto star = std::ranges::find(target.children, Kind::Starred, &PythonExpression::kind);
    const bool hasStar = star != target.children.end();
    PythonValues parts;
    if (auto given = m_library.unpack(value, count)) {
        parts = std::move(*given);
        for (PythonValue& part : parts)
            keepUnread(value, part);
    } else if (value.is<PythonList>() || value.is<PythonDictionary>() || value.isText() ||
               value.is<PythonInstance>())
        parts = iterate(value, target.place);
    if (hasStar && parts.size() + 1 >= count) {
        const auto before = static_cast<std::size_t>(star - target.children.begin());
        const std::size_t taken = parts.size() + 1 - count;
        const auto begin = parts.begin() + static_cast<std::ptrdiff_t>(before);
        PythonValue rest = pythonList({begin, begin + static_cast<std::ptrdiff_t>(taken)});
        parts.erase(begin, begin + static_cast<std::ptrdiff_t>(taken));
        parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(before), std::move(rest));
    }
    if (parts.size() != count)
        m_messages.raise(target.place, {"ValueError", "Exception"}, "python/unsupported",
                         fmt::format("this does not unpack into {} names", count),
                         {parts.empty() ? std::string("unpack a list or a tuple")
                                        : fmt::format("it has {} values", parts.size())});
    for (std::size_t i = 0; i < count; ++i) {
        const PythonExpression& part = target.children[i];
        assign(part.kind == Kind::Starred ? part.children.at(0) : part, parts[i]);
    }
}

void PythonInterpreter::assignAttribute(const PythonExpression& target, const PythonValue& value) {
    setAttribute(evaluate(target.children.at(0)), target.text, value, target.place);
}

void PythonInterpreter::setAttribute(const PythonValue& owner, const std::string& name,
                                     const PythonValue& value, PythonPlace place) {
    if (const auto* object = owner.as<PythonInstance>()) {
        if (object->definition->function(name + "=") != nullptr) {
            PythonArguments one{{value}, {}, place};
            static_cast<void>(callOwn(*object, name + "=", one));
            return;
        }
        const PythonValue* shared = object->definition->attribute(name);
        const auto* descriptor = shared == nullptr ? nullptr : shared->as<PythonInstance>();
        if (descriptor != nullptr && descriptor->definition->function("__set__") != nullptr) {
            PythonArguments two{{owner, value}, {}, place};
            static_cast<void>(callOwn(PythonInstance(*descriptor), "__set__", two));
            return;
        }
        if (object->definition->function("__setattr__") != nullptr) {
            PythonArguments two{{pythonText(name), value}, {}, place};
            static_cast<void>(callOwn(*object, "__setattr__", two));
            return;
        }
        if (setEntryAsAttribute(*object, name, value))
            return;
        checkHolds(object->attributes.get(), value, place);
        (*object->attributes)[name] = value;
        return;
    }
    if (const auto* type = owner.as<PythonClassName>()) {
        checkHolds(type->definition->attributes.get(), value, place);
        (*type->definition->attributes)[name] = value;
        return;
    }
    if (isPartOfRun(owner))
        return;
    if (!m_library.setAttribute(owner, name, value, place) && !owner.is<PythonData>() &&
        !owner.is<PythonLibraryName>() && !owner.is<PythonFunction>())
        m_messages.refuse(place, "python/unsupported",
                          fmt::format("setting \"{}\" here is not followed", quotedName(name)),
                          {"set it where the object is made"});
}

/// What `del` takes away.
void PythonInterpreter::erase(const PythonExpression& target) {
    if (target.kind == Kind::Name) {
        const auto elsewhere = m_names->elsewhere.find(target.text);
        PythonNames* const names = elsewhere == m_names->elsewhere.end() ? m_names : elsewhere->second;
        names->values.erase(target.text);
        return;
    }
    if (target.kind == Kind::Attribute) {
        const PythonValue owner = evaluate(target.children.at(0));
        if (const auto* object = owner.as<PythonInstance>())
            object->attributes->erase(target.text);
        return;
    }
    if (target.kind != Kind::Subscript)
        m_messages.refuse(target.place, "python/unsupported", "\"del\" takes names and entries here",
                          {"delete a name, or an entry of a list or dictionary"});
    const PythonValue owner = evaluate(target.children.at(0));
    PythonValue index = evaluate(target.children.at(1));
    PythonArguments one{{std::move(index)}, {}, target.place};
    const bool isSlice = one.list[0].is<PythonSlice>();
    if (const auto* list = owner.as<PythonList>(); list != nullptr && isSlice && !list->isTuple) {
        const PythonValue places = sliceOfPlaces(list->items->size(), *one.list[0].as<PythonSlice>());
        PythonValues kept;
        for (std::size_t i = 0; i < list->items->size(); ++i)
            if (std::ranges::none_of(places.items(), [&](const PythonValue& place) {
                    return place.constant() == static_cast<std::int64_t>(i);
                }))
                kept.push_back((*list->items)[i]);
        *list->items = std::move(kept);
        return;
    }
    if (owner.is<PythonList>() || owner.is<PythonDictionary>())
        static_cast<void>(callMethod({std::make_shared<const PythonValue>(owner), "pop"}, one));
}

void PythonInterpreter::assignElement(const PythonExpression& target, const PythonValue& value) {
    if (const auto object = ownerOfNames(target.children.at(0)))
        return setAttribute(*object, text(evaluate(target.children.at(1)), target.place), value,
                            target.place);
    const PythonValue owner = evaluate(target.children.at(0));
    const auto* data = owner.as<PythonData>();
    if ((data != nullptr && data->array == nullptr) || owner.is<PythonLibraryName>() || isPartOfRun(owner))
        return;
    const PythonValue index = evaluate(target.children.at(1));
    if (const auto* dictionary = owner.as<PythonDictionary>()) {
        checkHolds(dictionary->entries.get(), value, target.place);
        const auto found = std::ranges::find_if(
            *dictionary->entries, [&](const auto& entry) { return areEqual(entry.first, index); });
        if (found != dictionary->entries->end())
            found->second = value;
        else
            dictionary->entries->emplace_back(index, value);
        writeAttributes(owner);
        return;
    }
    if (m_library.setElement(owner, index, value, target.place))
        return;
    if (const auto* object = owner.as<PythonInstance>()) {
        PythonArguments two{{index, value}, {}, target.place};
        static_cast<void>(callOwn(*object, "__setitem__", two));
        return;
    }
    if (const auto* list = owner.as<PythonList>();
        list != nullptr && !list->isTuple && index.is<PythonSlice>() && value.is<PythonList>()) {
        const PythonValue places = sliceOfPlaces(list->items->size(), *index.as<PythonSlice>());
        const PythonValues given = value.items();
        if (places.items().size() == given.size()) {
            for (std::size_t i = 0; i < given.size(); ++i) {
                checkHolds(list->items.get(), given[i], target.place);
                (*list->items)[places.items()[i].constant().get<std::size_t>()] = given[i];
            }
            return;
        }
        const auto& bounds = *index.as<PythonSlice>()->bounds;
        if (bounds.size() < 3 || bounds[2].isNone() || bounds[2].constant() == 1) {
            for (const PythonValue& item : given)
                checkHolds(list->items.get(), item, target.place);
            const auto size = static_cast<std::int64_t>(list->items->size());
            const auto bound = [&](const PythonValue& value_, std::int64_t otherwise) {
                const std::int64_t at = value_.isWhole() ? value_.constant().get<std::int64_t>() : otherwise;
                return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
            };
            const std::int64_t first = bound(bounds[0], 0);
            const std::int64_t last = std::max(first, bound(bounds[1], size));
            list->items->erase(list->items->begin() + first, list->items->begin() + last);
            list->items->insert(list->items->begin() + first, given.begin(), given.end());
            countWork(given.size(), target.place);
            return;
        }
    }
    if (const auto* list = owner.as<PythonList>(); list != nullptr && !list->isTuple && isOfRun(index)) {
        for (PythonValue& item : *list->items) // which one it is only a run knows
            item = partOfRun(index);
        return;
    }
    if (const auto* list = owner.as<PythonList>(); list != nullptr && !list->isTuple && index.isWhole()) {
        const auto size = static_cast<std::int64_t>(list->items->size());
        const auto at = index.constant().get<std::int64_t>();
        const std::int64_t place = at < 0 ? at + size : at;
        if (place >= 0 && place < size) {
            checkHolds(list->items.get(), value, target.place);
            (*list->items)[static_cast<std::size_t>(place)] = value;
            return;
        }
    }
    m_messages.refuse(target.place, "python/unsupported", "an assignment to this is not followed",
                      {"assign to an entry that the list or dictionary has"});
}

void PythonInterpreter::checkHolds(const void* holder, const PythonValue& value, PythonPlace place) const {
    if (!canHold(holder, value))
        m_messages.refuse(place, "python/endless", "this list would hold itself, or is nested too deep",
                          {"put its values into one list, one after the other"});
}

} // namespace core
