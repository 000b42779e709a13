import AtRestAuditModel
import AtRestFormats

/// Reads the text controls of an interface document, with their outlets and labels.
struct InterfaceReader {
  private let tree: XMLTree
  private var skipped: [Skip]
  /// Outlets by the identifier of the element to which they refer.
  private var outlets: [String: [InterfaceField.Outlet]] = [:]
  private var owners: [String] = []
  private var members: Set<String> = []
  private var labels: InterfaceLabels?
  private let isAppKit: Bool

  init(tree: XMLTree) {
    self.tree = tree
    skipped = tree.skipped
    isAppKit = tree.root?.attribute("targetRuntime")?.hasPrefix("MacOSX") ?? false
  }

  mutating func read() -> InterfaceFile {
    guard let root = tree.root, root.name == "document" else {
      if tree.root != nil {
        skipped.append(
          Skip(path: tree.path, line: 1, reason: "The file is from an editor before Xcode 5."))
      }
      return InterfaceFile(path: tree.path, fields: [], skipped: skipped)
    }
    var elements: [XMLElement] = []
    for element in tree.elements {
      switch element.name {
      case "outlet", "outletCollection": addOutlet(element)
      case "action", "userDefinedRuntimeAttribute", "binding": addMembers(element)
      // A `tokenField` is left out: it is a list of tags.
      case "textField", "textView", "searchBar", "secureTextField", "searchField", "comboBox":
        elements.append(element)
      case "placeholder" where element.attribute("placeholderIdentifier") == "IBFilesOwner":
        if let name = element.attribute("customClass") { owners.append(name) }
      default:
        if Self.isController(element.name), let name = element.attribute("customClass") {
          owners.append(name)
        }
      }
    }
    if !elements.isEmpty { labels = InterfaceLabels(tree) }
    let fields = elements.compactMap { field($0) }
    let (scenes, initial) = InterfaceScene.scenes(of: root)
    return InterfaceFile(
      path: tree.path, fields: fields, owners: owners, scenes: scenes, initialScene: initial,
      members: members, skipped: skipped)
  }

  private static func isController(_ name: String) -> Bool {
    name.hasSuffix("Controller") || name.hasSuffix("ViewController")
  }

  private mutating func addOutlet(_ element: XMLElement) {
    guard let name = element.attribute("property"),
      let destination = element.attribute("destination"),
      let source = element.parent?.parent, element.parent?.name == "connections",
      // The names of these outlets do not show what their destination is for.
      !["delegate", "dataSource", "nextKeyView", "initialFirstResponder"].contains(name)
    else { return }
    let owner = source.attribute("customClass")
    outlets[destination, default: []].append(InterfaceField.Outlet(owner: owner, name: name))
  }

  /// Adds `save` for the selector `save:to:`, and the names in a key path.
  private mutating func addMembers(_ element: XMLElement) {
    if let selector = element.attribute("selector") {
      members.insert(String(selector.prefix { $0 != ":" }))
    }
    for name in element.attribute("keyPath")?.split(separator: ".") ?? [] {
      members.insert(String(name))
    }
  }

  // MARK: Fields

  private mutating func field(_ element: XMLElement) -> InterfaceField? {
    let kind: InterfaceField.Kind =
      switch element.name {
      case "textView": .textView
      case "searchBar", "searchField": .searchBar
      default: .textField
      }
    // Fields of AppKit have a cell that contains what they show.
    let cell = isAppKit ? element.child(key: "cell") : nil
    if isAppKit, kind != .textView, cell == nil { return nil }
    let source = cell ?? element
    let traits = element.child(key: "textInputTraits")
    let runtime = runtimeAttributes(of: element)
    let isEditable =
      isAppKit
      ? (source.attribute("editable") == "YES")
      : element.attribute("editable") != "NO" && element.attribute("enabled") != "NO"
        && !Self.isPoint(element) && !Self.isClear(element)
    // A text field of AppKit that cannot be edited is a label.
    if isAppKit, kind == .textField, !isEditable { return nil }
    let isSecure =
      isAppKit
      ? element.name == "secureTextField" || source.name == "secureTextFieldCell"
      : traits?.attribute("secureTextEntry") == "YES"
        || runtime["secureTextEntry"] == "YES" || runtime["isSecureTextEntry"] == "YES"
    let id = element.attribute("id") ?? ""
    let outlets = outlets[id] ?? []
    let texts = texts(of: source)
    let customClass = element.attribute("customClass")
    let identifiers = identifiers(of: element)
    let caption = labels?.caption(of: element)
    let userLabel = element.attribute("userLabel")
    let contentType = traits?.attribute("textContentType") ?? source.attribute("textContentType")
    return InterfaceField(
      kind: kind, location: element.location, id: id, customClass: customClass,
      owner: owner(of: element), outlets: outlets, userLabel: userLabel,
      placeholder: texts.placeholder, text: texts.text, writtenText: writtenText(of: source),
      caption: caption, identifiers: identifiers,
      isSecure: isSecure, isEditable: isEditable,
      isHidden: element.attribute("hidden") == "YES",
      usesKeyboard: element.attribute("userInteractionEnabled") != "NO",
      autocorrection: setting("autocorrectionType", traits, runtime),
      spellChecking: setting("spellCheckingType", traits, runtime), textContentType: contentType,
      keyboardType: traits?.attribute("keyboardType"), isAppKit: isAppKit,
      subject: InterfaceSubjects.subject(
        outlets: outlets.map(\.name), contentType: contentType, placeholder: texts.placeholder,
        caption: caption, userLabel: userLabel, identifiers: identifiers, isSecure: isSecure,
        customClass: customClass))
  }

  /// Returns true if a field is too small to be visible, such as one that exists only for AutoFill.
  private static func isPoint(_ element: XMLElement) -> Bool {
    guard let rect = element.children.first(where: { $0.name == "rect" }),
      let width = rect.number("width"), let height = rect.number("height")
    else { return false }
    // A frame without any size is laid out later.
    return width > 0 && height > 0 && width <= 2 && height <= 2
  }

  /// Returns true if nothing of the text is seen, because another view shows what was typed.
  private static func isClear(_ element: XMLElement) -> Bool {
    element.child(key: "textColor")?.number("alpha") == 0
  }

  private func texts(of element: XMLElement) -> (placeholder: String?, text: String?) {
    var text: String?
    var placeholder: String?
    for child in element.children {
      switch (child.name, child.attribute("key")) {
      case ("string", "text"), ("mutableString", "text"), ("string", "title"): text = child.text
      case ("string", "placeholder"), ("string", "placeholderString"): placeholder = child.text
      case ("attributedString", "attributedText"):
        text = child.children.compactMap { $0.attribute("content") }.joined()
      case ("attributedString", "attributedPlaceholder"):
        placeholder = child.children.compactMap { $0.attribute("content") }.joined()
      default: break
      }
    }
    text = text ?? element.attribute(isAppKit ? "title" : "text")
    placeholder =
      placeholder ?? element.attribute("placeholder") ?? element.attribute("placeholderString")
    return (placeholder?.nonEmpty, text?.nonEmpty)
  }

  /// The parts of everything that may be the initial text, with their places.
  private func writtenText(of element: XMLElement) -> [Finding.Secret] {
    func attribute(_ name: String, of element: XMLElement) -> Finding.Secret? {
      guard let text = element.attribute(name)?.nonEmpty,
        let location = element.location(ofAttribute: name)
      else { return nil }
      return Finding.Secret(text, at: location)
    }
    var parts = [attribute(isAppKit ? "title" : "text", of: element)]
    for child in element.children {
      switch (child.name, child.attribute("key")) {
      case ("string", "text"), ("mutableString", "text"), ("string", "title"):
        if let text = child.text.nonEmpty { parts.append(.init(text, at: child.textLocation)) }
      case ("attributedString", "attributedText"):
        parts += child.children.map { attribute("content", of: $0) }
      default: break
      }
    }
    return parts.compactMap(\.self)
  }

  private func setting(
    _ name: String, _ traits: XMLElement?, _ runtime: [String: String]
  ) -> InterfaceField.Setting {
    if let value = traits?.attribute(name) {
      return InterfaceField.Setting(rawValue: value) ?? .yes
    }
    switch runtime[name] {
    case "1": return .no
    case "2": return .yes
    default: return .standard
    }
  }

  private func runtimeAttributes(of element: XMLElement) -> [String: String] {
    guard let list = element.child("userDefinedRuntimeAttributes") else { return [:] }
    var result: [String: String] = [:]
    for attribute in list.children {
      guard let path = attribute.attribute("keyPath") else { continue }
      let value =
        attribute.attribute("value")
        ?? attribute.child(key: "value").map { $0.attribute("value") ?? $0.text }
      result[path] = value
    }
    return result
  }

  private func identifiers(of element: XMLElement) -> [String] {
    var result = [element.attribute("restorationIdentifier"), element.attribute("identifier")]
    for name in ["accessibility", "accessibilityConfiguration"] {
      guard let configuration = element.child(name) else { continue }
      result.append(configuration.attribute("identifier"))
      result.append(configuration.attribute("label"))
    }
    return result.compactMap { $0?.nonEmpty }
  }

  /// Returns the nearest custom class around a field, of a cell, a view or a controller, or nil.
  private func owner(of element: XMLElement) -> String? {
    var next = element.parent
    while let element = next {
      if element.name != "window", let name = element.attribute("customClass") { return name }
      if element.name == "objects" {
        // A xib's views belong to its File's Owner.
        return element.children.first {
          $0.attribute("placeholderIdentifier") == "IBFilesOwner"
        }?.attribute("customClass")
      }
      next = element.parent
    }
    return nil
  }
}

extension String {
  /// The string itself, or nil if it is empty or blank.
  var nonEmpty: String? { contains { !$0.isWhitespace } ? self : nil }
}
