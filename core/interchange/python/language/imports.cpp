// What a program imports: libraries, and modules of its own folder.
#include "core/interchange/python/language/interpreter.h"
#include "core/interchange/python/syntax/modules.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

/// "a.b.c" up to the part that begins at `part`.
std::string_view pathBefore(std::string_view path, std::size_t part) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < part && at != std::string_view::npos; ++i)
        at = path.find('.', at + (i == 0 ? 0 : 1));
    return path.substr(0, at);
}

} // namespace

void PythonInterpreter::import(const PythonStatement& entry) {
    for (const auto& [name, written] : entry.imports) {
        const std::string path = absolutePath(written);
        if (name == "*") {
            importAll(path);
            continue;
        }
        if (auto own = inModules(path, entry.place))
            bind(name, std::move(*own));
        else
            bind(name, named(m_library.fullName(path)));
    }
}

void PythonInterpreter::importAll(const std::string& path) {
    const auto module = inModules(path, {});
    const auto* object = module ? module->as<PythonInstance>() : nullptr;
    if (object == nullptr) {
        m_stars.push_back(m_library.fullName(path));
        return;
    }
    for (const auto& [name, value] : std::map(*object->attributes))
        if (!name.starts_with('_'))
            bind(name, value);
}

/// A constant of a library, or the name itself.
PythonValue PythonInterpreter::named(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    if (dot != std::string::npos)
        if (auto value = m_library.attribute(PythonLibraryName{path.substr(0, dot)}, path.substr(dot + 1)))
            return std::move(*value);
    return PythonLibraryName{path};
}

PythonNames* PythonInterpreter::outermost() const {
    PythonNames* names = m_names;
    while (names->outer != nullptr)
        names = names->outer;
    return names;
}

PythonValue PythonInterpreter::localNames() const {
    PythonValue names = pythonDictionary({});
    for (const auto& [name, value] : m_names->values)
        names.as<PythonDictionary>()->entries->emplace_back(pythonText(name), value);
    return names;
}

PythonValue PythonInterpreter::globalNames() const {
    const std::map<std::string, PythonValue> assumed = m_library.names();
    PythonValue names = pythonDictionary({});
    for (const auto& [name, value] : outermost()->values)
        if (!assumed.contains(name) || !value.is<PythonLibraryName>())
            names.as<PythonDictionary>()->entries->emplace_back(pythonText(name), value);
    return names;
}

std::string PythonInterpreter::absolutePath(const std::string& path) const {
    const std::size_t dots = std::min(path.find_first_not_of('.'), path.size());
    if (dots == 0)
        return path;
    std::string package = outermost()->package;
    for (std::size_t i = 1; i < dots; ++i) {
        const std::size_t last = package.rfind('.');
        package = last == std::string::npos ? std::string() : package.substr(0, last);
    }
    return package.empty() ? path.substr(dots) : package + "." + path.substr(dots);
}

std::optional<PythonValue> PythonInterpreter::inModules(const std::string& path, PythonPlace place) {
    const auto parts = static_cast<std::size_t>(std::ranges::count(path, '.')) + 1;
    auto value = moduleObject(std::string(pathBefore(path, 1)));
    for (std::size_t part = 2; value && part <= parts; ++part) {
        const std::string_view whole = pathBefore(path, part);
        const std::string name(whole.substr(whole.rfind('.') + 1));
        const auto* object = value->as<PythonInstance>();
        const bool isModule = object != nullptr && object->definition->kind == PythonClassKind::Module;
        if (!isModule || object->attributes->contains(name)) {
            value = attributeOf(*value, name);
            continue;
        }
        const std::string owner(pathBefore(path, part - 1));
        value = moduleObject(std::string(whole));
        if (!value && m_files.find(owner)->isFolderOnly)
            return std::nullopt; // a folder of other things, beside a library of its name
        if (!value)
            m_messages.raise(place, {"ImportError", "Exception"}, "python/import",
                             fmt::format("the module {} has no \"{}\"", quotedName(owner), quotedName(name)),
                             {"define it there, or import another name"});
    }
    return value;
}

std::optional<PythonValue> PythonInterpreter::moduleObject(const std::string& path) {
    if (const auto known = m_modules.find(path); known != m_modules.end())
        return known->second.second;
    const PythonModules::Module* file = m_files.find(path);
    if (file == nullptr)
        return std::nullopt;
    m_messages.addFile(file->index, file->name);
    auto& [names, object] = m_modules[path];
    names = std::make_unique<PythonNames>();
    names->values = m_library.names();
    names->values["__name__"] = pythonText(path);
    names->values["__file__"] = pythonText(file->file);
    names->values["__doc__"] = PythonData();
    const std::size_t dot = path.rfind('.');
    names->package = file->isPackage ? path : path.substr(0, dot == std::string::npos ? 0 : dot);
    auto made = std::make_shared<PythonClass>();
    made->name = path;
    made->kind = PythonClassKind::Module;
    // The interpreter owns the names; the object only shows them.
    std::shared_ptr<std::map<std::string, PythonValue>> shown(std::shared_ptr<void>(), &names->values);
    object = PythonInstance{made, std::move(shown), made};
    PythonNames* const before = m_names;
    m_names = names.get();
    static_cast<void>(block(file->program));
    m_names = before;
    return object;
}

std::optional<PythonValue> PythonInterpreter::definedHere(const PythonExpression& expression) {
    using Kind = PythonExpression::Kind;
    if (expression.kind == Kind::Name) {
        const PythonValue* value = bound(expression.text);
        return value == nullptr ? std::nullopt : std::optional(*value);
    }
    if (expression.kind != Kind::Attribute)
        return std::nullopt;
    const auto owner = definedHere(expression.children.at(0));
    const auto* object = owner ? owner->as<PythonInstance>() : nullptr;
    if (object == nullptr || object->definition->kind != PythonClassKind::Module)
        return std::nullopt;
    return attributeOf(*owner, expression.text);
}

} // namespace core
