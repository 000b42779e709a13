import AtRestFormats
import Foundation

/// Advisories in the OSV schema, from a folder or a zip file as osv.dev offers them.
package struct AdvisoryDatabase: Sendable {
  /// The maximum size of a file with an advisory, in bytes.
  static let fileLimit = 4 << 20

  package let count: Int
  package let skipped: [Skip]
  /// Advisories by ecosystem and name, in lower case.
  private let byPackage: [String: [Entry]]

  private struct Entry: Sendable {
    let advisory: Advisory
    let affected: Advisory.Affected
  }

  /// An advisory that affects a dependency.
  package struct Match: Sendable {
    package let dependency: Dependency
    package let advisory: Advisory
    /// The version that fixes the vulnerability, if one exists.
    package let mendedIn: String?
  }

  /// Creates a database from advisories.
  ///
  /// - Parameter files: The JSON of each advisory with its path.
  package init(files: [(path: String, data: Data)], skipped: [Skip] = []) {
    var skipped = skipped
    var byPackage: [String: [Entry]] = [:]
    var count = 0
    let decoder = JSONDecoder()
    for (path, data) in files {
      guard let advisory = try? decoder.decode(Advisory.self, from: data) else {
        skipped.append(Skip(path: path, reason: "This is not an advisory in the OSV schema."))
        continue
      }
      guard advisory.withdrawn == nil else { continue }
      count += 1
      for affected in advisory.affected ?? [] {
        guard let package = affected.package else { continue }
        byPackage[Self.key(package.ecosystem, package.name), default: []].append(
          Entry(advisory: advisory, affected: affected))
      }
    }
    self.byPackage = byPackage
    self.count = count
    self.skipped = skipped
  }

  /// Reads every `.json` file below a folder, or in a zip file.
  ///
  /// - Throws: The system's error if the path cannot be read, or ``FormatError`` if it is a file
  ///   that is not a zip file.
  package static func read(at place: String) throws -> AdvisoryDatabase {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
    guard isFolder.boolValue else {
      return try read(zip: Data(contentsOf: URL(fileURLWithPath: place), options: .mappedIfSafe))
    }
    var files: [(path: String, data: Data)] = []
    var skipped: [Skip] = []
    let names = try FileManager.default.subpathsOfDirectory(atPath: place).sorted()
    for name in names where name.hasSuffix(".json") {
      do {
        let data = try Data(contentsOf: URL(fileURLWithPath: place + "/" + name))
        guard data.count <= fileLimit else {
          skipped.append(Skip(path: name, reason: "The file is too large for an advisory."))
          continue
        }
        files.append((name, data))
      } catch {
        skipped.append(Skip(path: name, reason: "The file cannot be read."))
      }
    }
    return AdvisoryDatabase(files: files, skipped: skipped)
  }

  /// Reads every `.json` file in a zip file.
  ///
  /// - Throws: ``FormatError`` if the data is not a zip file.
  package static func read(zip data: Data) throws -> AdvisoryDatabase {
    let archive = try ZipArchive(data)
    var files: [(path: String, data: Data)] = []
    var skipped = archive.skipped
    for entry in archive.entries where entry.name.hasSuffix(".json") {
      do {
        files.append((entry.name, try archive.read(entry, limit: fileLimit)))
      } catch {
        skipped.append(Skip(path: entry.name, reason: error.description))
      }
    }
    return AdvisoryDatabase(files: files, skipped: skipped)
  }

  /// Returns the advisories that affect the version of a dependency, sorted by identifier.
  package func matches(for dependency: Dependency) -> [Match] {
    guard let version = dependency.version else { return [] }
    var keys: [String] = []
    if dependency.ecosystem == .cocoaPods {
      keys.append(Self.key("CocoaPods", dependency.name))
    }
    // Advisories name Carthage dependencies and pods from git by their URL, as they do Swift
    // packages.
    if let source = dependency.sourceName { keys.append(Self.key("SwiftURL", source)) }
    var found: Set<String> = []
    return keys.flatMap { byPackage[$0] ?? [] }
      .filter { $0.affected.holds(version) && found.insert($0.advisory.id).inserted }
      .map {
        Match(
          dependency: dependency, advisory: $0.advisory,
          mendedIn: $0.affected.mended(after: version))
      }
      .sorted { $0.advisory.id < $1.advisory.id }
  }

  private static func key(_ ecosystem: String, _ name: String) -> String {
    let name =
      ecosystem == "SwiftURL" ? Dependency.sourceName(name) ?? name.lowercased() : name.lowercased()
    return ecosystem + "\n" + name
  }
}
