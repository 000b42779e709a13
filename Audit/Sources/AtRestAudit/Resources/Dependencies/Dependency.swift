/// A library that a project has pinned.
public struct Dependency: Hashable, Sendable {
  public enum Ecosystem: String, Sendable {
    case swiftURL = "SwiftURL"
    case cocoaPods = "CocoaPods"
    case carthage = "Carthage"
  }

  public let name: String
  /// The version, unless a branch or revision is pinned alone.
  public let version: String?
  public let revision: String?
  /// Where its source comes from, as it is written.
  public let source: String?
  public let ecosystem: Ecosystem
  /// Where the pin stands.
  public let location: Location

  public init(
    name: String, version: String?, revision: String? = nil, source: String? = nil,
    ecosystem: Ecosystem, location: Location
  ) {
    self.name = name
    self.version = version
    self.revision = revision
    self.source = source
    self.ecosystem = ecosystem
    self.location = location
  }

  /// The source as advisories name it: `github.com/apple/swift-nio`.
  public var sourceName: String? { source.flatMap(Self.sourceName) }

  /// Host and path without scheme, user, port and `.git`, in lower case.
  static func sourceName(_ source: String) -> String? {
    var text = Substring(source.lowercased())
    if let scheme = text.range(of: "://") {
      text = text[scheme.upperBound...]
    } else if let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/") {
      // `git@github.com:apple/swift-nio.git`
      text = text[..<colon] + "/" + text[text.index(after: colon)...]
    }
    if let slash = text.firstIndex(of: "/"), let user = text[..<slash].lastIndex(of: "@") {
      text = text[text.index(after: user)...]
    }
    if let slash = text.firstIndex(of: "/"), let port = text[..<slash].firstIndex(of: ":") {
      text = text[..<port] + text[slash...]
    }
    while text.hasSuffix("/") { text = text.dropLast() }
    if text.hasSuffix(".git") { text = text.dropLast(4) }
    if text.hasPrefix("www.") { text = text.dropFirst(4) }
    return text.contains("/") ? String(text) : nil
  }
}
