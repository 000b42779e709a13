import AtRestAuditModel
import AtRestFormats

/// A library that a project pins.
package struct Dependency: Hashable, Sendable {
  package enum Ecosystem: String, Sendable {
    case swiftURL = "SwiftURL"
    case cocoaPods = "CocoaPods"
    case carthage = "Carthage"
  }

  package let name: String
  /// The version, or nil if only a branch or revision is pinned.
  package let version: String?
  package let revision: String?
  /// The location of its source, as written.
  package let source: String?
  package let ecosystem: Ecosystem
  /// The location of the pin.
  package let location: Location

  package init(
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
  package var sourceName: String? { source.flatMap(Self.sourceName) }

  /// Returns the host and path of a source in lower case, without scheme, user, port, `www.` and
  /// `.git`, or nil if the source has no path.
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
