@_spi(Tools) import AtRestBus

/// The descriptions of the objects, for programs that look at a bus.
enum SecretIntrospection {
  private static let head = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
    "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">\n
    """

  /// The description of the bus.
  static let bus =
    head + "<node>" + interface(BusHub.bus, ["Hello:>s", "AddMatch:s", "RemoveMatch:s"]) + "</node>"

  /// Returns the description of an object.
  ///
  /// - Parameter paths: The objects that there are.
  static func text(of path: String, among paths: [SecretPath]) -> String {
    let prefix = path == "/" ? path : path + "/"
    let children = Set(
      paths.map(\.text).filter { $0.hasPrefix(prefix) }.compactMap {
        $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
      })
    return head + "<node>" + (SecretPath(path).map { standard + interfaces($0) } ?? "")
      + children.sorted().map { "<node name=\"\($0)\"/>" }.joined() + "</node>"
  }

  private static let standard = interface(
    BusHub.bus + ".Properties", ["Get:ss>v", "GetAll:s>a{sv}", "Set:ssv"])

  private static func interfaces(_ path: SecretPath) -> String {
    let prefix = SecretService.interface
    switch path {
    case .service:
      return interface(
        prefix + "Service",
        [
          "OpenSession:sv>vo", "CreateCollection:a{sv}s>oo", "SearchItems:a{ss}>aoao",
          "Unlock:ao>aoo", "Lock:ao>aoo", "GetSecrets:aoo>a{o(oayays)}", "ReadAlias:s>o",
          "SetAlias:so",
        ], signals: ["CollectionCreated", "CollectionDeleted", "CollectionChanged"],
        properties: ["Collections:ao:read"])
    case .collection, .alias:
      return interface(
        prefix + "Collection",
        ["Delete:>o", "SearchItems:a{ss}>ao", "CreateItem:a{sv}(oayays)b>oo"],
        signals: ["ItemCreated", "ItemDeleted", "ItemChanged"],
        properties: [
          "Items:ao:read", "Label:s:readwrite", "Locked:b:read", "Created:t:read",
          "Modified:t:read",
        ])
    case .item:
      return interface(
        prefix + "Item", ["Delete:>o", "GetSecret:o>(oayays)", "SetSecret:(oayays)"],
        properties: [
          "Locked:b:read", "Attributes:a{ss}:readwrite", "Label:s:readwrite", "Created:t:read",
          "Modified:t:read",
        ])
    case .session: return interface(prefix + "Session", ["Close:"])
    case .prompt: return interface(prefix + "Prompt", ["Prompt:s", "Dismiss:"])
    }
  }

  /// Returns the description of an interface.
  ///
  /// - Parameters:
  ///   - methods: Names with the signatures of arguments and results: `Name:arguments>results`.
  ///   - properties: Names with type and access.
  private static func interface(
    _ name: String, _ methods: [String], signals: [String] = [], properties: [String] = []
  ) -> String {
    var text = "<interface name=\"\(name)\">"
    for method in methods {
      let parts = method.split(separator: ":", omittingEmptySubsequences: false)
      let sides = parts[1].split(separator: ">", omittingEmptySubsequences: false)
      text += "<method name=\"\(parts[0])\">"
      for (side, direction) in zip(sides, ["in", "out"]) {
        for type in (try? BusType.types(of: String(side))) ?? [] {
          text += "<arg type=\"\(type.letters)\" direction=\"\(direction)\"/>"
        }
      }
      text += "</method>"
    }
    for signal in signals {
      text += "<signal name=\"\(signal)\"><arg type=\"o\"/></signal>"
    }
    for property in properties {
      let parts = property.split(separator: ":")
      text += "<property name=\"\(parts[0])\" type=\"\(parts[1])\" access=\"\(parts[2])\"/>"
    }
    return text + "</interface>"
  }
}
