#include "core/interchange/python/apis/files/ini_files.h"

#include "core/interchange/python/apis/files/program_files.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/syntax/modules.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace core {

namespace {

constexpr const char* parserClass = "configparser.ConfigParser";
constexpr const char* sectionClass = "configparser.SectionProxy";
/// The section that all others begin with.
constexpr const char* commonSection = "DEFAULT";
/// Attributes of sections: the one that all begin with, and what is known of the parser. Neither holds the
/// parser, which holds them.
constexpr const char* itsCommon = "$common";
constexpr const char* itsState = "$state";
/// Of a state: the name of a file that only a run can read.
constexpr const char* unread = "unread";

std::string trimmed(std::string_view text) {
    const auto isSpace = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return std::string(text);
}

/// A parser, or a section of it, that a function is called of.
const PythonLibraryObject* selfOf(const PythonApiCall& call, const char* className) {
    const PythonValue* self = call.arguments.find("self", 0);
    const auto* object = self == nullptr ? nullptr : self->as<PythonLibraryObject>();
    return object != nullptr && object->className == className ? object : nullptr;
}

const PythonLibraryObject& objectIn(const PythonLibraryObject& object, const char* name) {
    return *object.attributes->at(name).as<PythonLibraryObject>();
}

PythonLibraryObject& sectionOf(const PythonLibraryObject& parser, const std::string& name) {
    PythonValue& section = (*parser.attributes)["[" + name];
    if (!section.is<PythonLibraryObject>()) {
        PythonLibraryObject made = pythonObject(sectionClass);
        (*made.attributes)[itsState] = objectIn(parser, itsState);
        if (name != commonSection)
            (*made.attributes)[itsCommon] = sectionOf(parser, commonSection);
        section = std::move(made);
    }
    return std::get<PythonLibraryObject>(section.content);
}

/// The section, and the one that it begins with.
std::vector<const PythonLibraryObject*> partsOf(const PythonLibraryObject& section) {
    std::vector<const PythonLibraryObject*> parts{&section};
    if (section.attributes->contains(itsCommon))
        parts.push_back(&objectIn(section, itsCommon));
    return parts;
}

void setUnread(const PythonLibraryObject& parser, std::string file) {
    (*objectIn(parser, itsState).attributes)[unread] = pythonText(std::move(file));
}

void setOption(const PythonLibraryObject& section, const std::string& name, const std::string& value) {
    (*section.attributes)["." + lowerCase(name)] = pythonText(value);
}

/// The text of an option, with what it names as %(other)s; nothing: the section has it not.
std::optional<std::string> optionOf(const PythonLibraryObject& section, const std::string& name,
                                    int depth = 0) {
    constexpr int deepest = 10;
    const std::string key = "." + lowerCase(name);
    const PythonValue* found = nullptr;
    for (const PythonLibraryObject* part : partsOf(section))
        if (const auto entry = part->attributes->find(key);
            found == nullptr && entry != part->attributes->end())
            found = &entry->second;
    if (found == nullptr || depth > deepest)
        return std::nullopt;
    std::string text = found->constant().get<std::string>();
    for (std::size_t at = text.find("%("); at != std::string::npos; at = text.find("%(", at)) {
        const std::size_t end = text.find(")s", at);
        const auto other = end == std::string::npos
                               ? std::nullopt
                               : optionOf(section, text.substr(at + 2, end - at - 2), depth + 1);
        if (!other)
            break;
        text.replace(at, end + 2 - at, *other);
    }
    return text;
}

void readText(const PythonLibraryObject& parser, std::string_view text) {
    PythonLibraryObject* section = nullptr;
    std::string option;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        const std::string line(text.substr(0, end + 1));
        text.remove_prefix(end + 1);
        const std::string content = trimmed(line);
        if (content.empty() || content[0] == '#' || content[0] == ';')
            continue;
        const bool goesOn = std::isspace(static_cast<unsigned char>(line[0])) != 0;
        if (content[0] == '[' && content.find(']') != std::string::npos) {
            section = &sectionOf(parser, content.substr(1, content.find(']') - 1));
            option.clear();
        } else if (section != nullptr && goesOn && !option.empty()) {
            PythonValue& value = (*section->attributes)["." + option];
            value = pythonText(value.constant().get<std::string>() + "\n" + content);
        } else if (section != nullptr) {
            const std::size_t split = content.find_first_of("=:");
            option = lowerCase(trimmed(content.substr(0, split)));
            setOption(*section, option, split == std::string::npos ? "" : trimmed(content.substr(split + 1)));
        }
    }
}

PythonValue makeParser(const PythonApiCall&) {
    PythonLibraryObject parser = pythonObject(parserClass);
    (*parser.attributes)[itsState] = pythonObject("configparser.state");
    return parser;
}

PythonValue readGivenText(const PythonApiCall& call) {
    const auto* parser = selfOf(call, parserClass);
    const PythonValue* text = call.arguments.find("string", 1);
    if (parser != nullptr && text != nullptr && text->isText())
        readText(*parser, text->constant().get_ref<const std::string&>());
    else if (parser != nullptr)
        setUnread(*parser, "a text of the run");
    return {};
}

/// read(name or names): what is not there is left out, as Python does; here a run may have it.
PythonValue readFiles(const PythonApiCall& call) {
    const auto* parser = selfOf(call, parserClass);
    const PythonValue* names = call.arguments.find("filenames", 1);
    if (parser == nullptr || names == nullptr)
        return PythonData();
    PythonValues read;
    for (const PythonValue& name : names->is<PythonList>() ? names->items() : PythonValues{*names}) {
        const auto path =
            name.isText() ? std::optional(name.constant().get<std::string>()) : textOfPath(name);
        const auto text =
            path && call.builder.modules != nullptr ? call.builder.modules->text(*path) : std::nullopt;
        if (text)
            readText(*parser, *text);
        else
            setUnread(*parser, path.value_or("a file of the run"));
        read.push_back(name);
    }
    return pythonList(std::move(read));
}

PythonValue readOpenFile(const PythonApiCall& call) {
    const auto* parser = selfOf(call, parserClass);
    const PythonValue* file = call.arguments.find("f", 1);
    const auto lines = file == nullptr ? std::nullopt : linesOfFile(*file);
    if (parser == nullptr)
        return {};
    std::string text;
    for (const PythonValue& line : lines.value_or(PythonValues()))
        text += line.constant().get<std::string>();
    readText(*parser, text);
    if (!lines)
        setUnread(*parser, "a file of the run");
    return {};
}

PythonValue readDictionary(const PythonApiCall& call) {
    const auto* parser = selfOf(call, parserClass);
    const PythonValue* given = call.arguments.find("dictionary", 1);
    const auto* sections = given == nullptr ? nullptr : given->as<PythonDictionary>();
    if (parser == nullptr || sections == nullptr)
        return {};
    for (const auto& [name, options] : *sections->entries)
        if (const auto* entries = options.as<PythonDictionary>(); entries != nullptr && name.isText())
            for (const auto& [option, value] : *entries->entries)
                if (option.isText())
                    setOption(sectionOf(*parser, name.constant().get<std::string>()),
                              option.constant().get<std::string>(),
                              value.isText() ? value.constant().get<std::string>() : value.constant().dump());
    return {};
}

/// What only a run knows of a file that is not beside the program.
PythonValue unknownOption(const PythonLibraryObject& state) {
    PythonData data;
    data.origin = fmt::format("the file \"{}\"",
                              quotedName(state.attributes->at(unread).constant().get<std::string>()));
    data.cure = "put it beside the program";
    return data;
}

/// get(), getint(), getfloat() and getboolean() of a section.
PythonValue valueOf(const PythonProgramBuilder& builder, PythonPlace place,
                    const PythonLibraryObject& section, const std::string& option, const std::string& kind,
                    const PythonValue* fallback) {
    const auto text = optionOf(section, option);
    const PythonLibraryObject& state = objectIn(section, itsState);
    if (!text && fallback != nullptr)
        return *fallback;
    if (!text && state.attributes->contains(unread))
        return unknownOption(state);
    if (!text)
        builder.refuse(place, "python/value",
                       fmt::format("the configuration has no \"{}\" here", quotedName(option)),
                       {"write it into the configuration", "give a fallback"});
    if (kind == "getboolean") {
        constexpr std::array<std::string_view, 4> yes{"1", "yes", "true", "on"};
        return pythonConstant(std::ranges::find(yes, lowerCase(*text)) != yes.end());
    }
    if (kind != "getint" && kind != "getfloat")
        return pythonText(*text);
    double number = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error != std::errc() || end != text->data() + text->size())
        builder.refuse(place, "python/value", fmt::format("\"{}\" is no number", quotedName(*text)),
                       {"write a number into the configuration"});
    constexpr double exact = 9007199254740992.0;
    return kind == "getint" && std::abs(number) < exact ? pythonConstant(static_cast<std::int64_t>(number))
                                                        : pythonConstant(number);
}

std::optional<std::string> textAt(const PythonApiCall& call, const char* name, std::size_t position) {
    const PythonValue* given = call.arguments.find(name, position);
    return given != nullptr && given->isText() ? std::optional(given->constant().get<std::string>())
                                               : std::nullopt;
}

PythonValue optionOfParser(const PythonApiCall& call) {
    const auto* parser = selfOf(call, parserClass);
    const auto section = textAt(call, "section", 1);
    const auto option = textAt(call, "option", 2);
    if (parser == nullptr || !section || !option)
        return PythonData();
    return valueOf(call.builder, call.place(), sectionOf(*parser, *section), *option, call.name(),
                   call.arguments.keyword("fallback"));
}

PythonValue optionOfSection(const PythonApiCall& call) {
    const auto* section = selfOf(call, sectionClass);
    const auto option = textAt(call, "option", 1);
    if (section == nullptr || !option)
        return PythonData();
    static const PythonValue none;
    const PythonValue* fallback = call.arguments.find("fallback", 2);
    const bool mayLack = call.name() == "get";
    return valueOf(call.builder, call.place(), *section, *option, call.name(),
                   fallback == nullptr && mayLack ? &none : fallback);
}

PythonValue sectionsOf(const PythonApiCall& call) {
    PythonValues names;
    if (const auto* parser = selfOf(call, parserClass))
        for (const auto& [name, value] : *parser->attributes)
            if (name.starts_with('[') && name != std::string("[") + commonSection)
                names.push_back(pythonText(name.substr(1)));
    return pythonList(std::move(names));
}

PythonValue hasEntry(const PythonApiCall& call) {
    const auto* parser = selfOf(call, parserClass);
    const auto section = textAt(call, "section", 1);
    const auto option = textAt(call, "option", 2);
    if (parser == nullptr || !section)
        return PythonData();
    const bool hasSection = parser->attributes->contains("[" + *section);
    return pythonConstant(hasSection &&
                          (!option || optionOf(sectionOf(*parser, *section), *option).has_value()));
}

/// items() of a section: pairs of names and texts.
PythonValue entriesOf(const PythonApiCall& call) {
    const auto* parser = selfOf(call, parserClass);
    const auto name = textAt(call, "section", 1);
    const auto* section = parser != nullptr && name ? &sectionOf(*parser, *name) : selfOf(call, sectionClass);
    PythonValues pairs;
    if (section == nullptr)
        return PythonData();
    std::map<std::string, std::string> entries;
    for (const PythonLibraryObject* part : partsOf(*section))
        for (const auto& [key, value] : *part->attributes)
            if (key.starts_with('.'))
                entries[key.substr(1)] = optionOf(*section, key.substr(1)).value_or("");
    for (const auto& [key, value] : entries)
        pairs.push_back(call.name() == "items" ? pythonList({pythonText(key), pythonText(value)}, true)
                                               : pythonText(key));
    return pythonList(std::move(pairs));
}

} // namespace

std::vector<PythonApiName> iniFileNames() {
    const std::string parser = parserClass;
    const std::string section = sectionClass;
    std::vector<PythonApiName> names{readName(parser, makeParser),
                                     readName("configparser.RawConfigParser", makeParser),
                                     readName("configparser.SafeConfigParser", makeParser),
                                     readName(parser + ".read_string", readGivenText),
                                     readName(parser + ".read", readFiles),
                                     readName(parser + ".read_file", readOpenFile),
                                     readName(parser + ".read_dict", readDictionary),
                                     readName(parser + ".sections", sectionsOf),
                                     readName(parser + ".has_section", hasEntry),
                                     readName(parser + ".has_option", hasEntry),
                                     readName(parser + ".items", entriesOf),
                                     readName(parser + ".options", entriesOf),
                                     readName(section + ".items", entriesOf),
                                     readName(section + ".keys", entriesOf)};
    for (const char* name : {"get", "getint", "getfloat", "getboolean"}) {
        names.push_back(readName(parser + "." + name, optionOfParser));
        names.push_back(readName(section + "." + name, optionOfSection));
    }
    names.push_back(hostName("configparser.**"));
    return names;
}

std::optional<PythonValue> elementOfIni(const PythonProgramBuilder& builder, const PythonValue& owner,
                                        const PythonValue& index, PythonPlace place) {
    const auto* object = owner.as<PythonLibraryObject>();
    if (object == nullptr || !index.isText())
        return std::nullopt;
    const auto& name = index.constant().get_ref<const std::string&>();
    if (object->className == sectionClass)
        return valueOf(builder, place, *object, name, "get", nullptr);
    if (object->className != parserClass)
        return std::nullopt;
    const bool isKnown = object->attributes->contains("[" + name) || name == commonSection;
    if (!isKnown && objectIn(*object, itsState).attributes->contains(unread))
        return unknownOption(objectIn(*object, itsState));
    if (!isKnown)
        builder.refuse(place, "python/value",
                       fmt::format("the configuration has no section \"{}\"", quotedName(name)),
                       {"write it into the configuration"});
    return sectionOf(*object, name);
}

} // namespace core
