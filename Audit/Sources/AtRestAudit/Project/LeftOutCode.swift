import AtRestAuditModel
import AtRestFormats
import Foundation

/// The names that are mentioned in files which are left out, but are part of the app: generated files, and
/// files that git ignores.
struct LeftOutCode {
  private(set) var mentions: Set<UInt32> = []
  /// False if a file that can be part of the app was not read.
  private(set) var isWhole = true

  private static let entryLimit = 100_000

  private let tree: SourceTree
  private let selection: FileSelection

  init(_ list: FileList, tree: SourceTree, settings: Settings) {
    self.tree = tree
    selection = FileSelection(settings: settings)
    for left in list.leftOut where isWhole {
      switch left.reason {
      case .excluded: isWhole = false
      case .linked: follow(left.path)
      case .generated, .ignored:
        if left.path.hasSuffix("/") { visit(String(left.path.dropLast())) } else { read(left.path) }
      default: break
      }
    }
  }

  /// Returns true for text whose words are not those of UTF-8.
  static func isUnreadable(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.contains(0) || text.count >= 2 && text[0] ^ text[1] == 1 && text[0] >= 0xFE
  }

  /// Returns true for files that name types and scenes.
  static func namesTypes(_ kind: FileKind) -> Bool {
    kind.isCode || kind == .interface || kind == .propertyList
  }

  private mutating func read(_ path: String) {
    guard let kind = FileKind(path: path), Self.namesTypes(kind) else { return }
    let limit = kind.isCode ? SourceTree.codeSizeLimit : SourceTree.sizeLimit
    guard let data = try? tree.read(path, limit: limit) else {
      isWhole = false
      return
    }
    data.withUnsafeBytes { bytes in
      let text = bytes.bindMemory(to: UInt8.self)
      guard kind.isCode else {
        mentions.formUnion(CodeWords.hashes(in: text))
        return
      }
      if Self.isUnreadable(text) { isWhole = false }
      if TestCode.isTest(text) { return }
      let words = CodeWords(text, language: kind == .swift ? .swift : .objectiveC)
      mentions.formUnion(words.words.lazy.map(\.hash))
    }
  }

  /// Reads a folder without third-party code and hidden folders.
  private mutating func visit(_ folder: String) {
    guard let root = tree.folder,
      let paths = FileManager.default.enumerator(atPath: root + "/" + folder)
    else { return }
    var count = 0
    while let name = paths.nextObject() as? String, isWhole {
      count += 1
      let path = folder + "/" + name
      switch FileStatus(root + "/" + path, followsLink: false) {
      case .folder?:
        if isApart(path) { paths.skipDescendants() }
      case .file?:
        if selection.reason(path: path, isFolder: false) != .tests { read(path) }
      case .link?: follow(path)
      default: break
      }
      if count > Self.entryLimit { isWhole = false }
    }
  }

  private func isApart(_ folder: String) -> Bool {
    ResourcePath.name(of: folder).hasPrefix(".")
      || selection.reason(path: folder, isFolder: true) == .vendored
  }

  /// Nothing is known of code outside of the tree. Inside, it is read at its own path.
  private mutating func follow(_ path: String) {
    guard let root = tree.folder, let status = FileStatus(root + "/" + path, followsLink: true)
    else { return }
    let home = URL(fileURLWithPath: root).resolvingSymlinksInPath().path
    let target = URL(fileURLWithPath: root + "/" + path).resolvingSymlinksInPath().path
    guard !target.hasPrefix(home + "/") else { return }
    switch status {
    case .folder: if !isApart(path) { isWhole = false }
    case .file: if FileKind(path: path)?.isCode ?? false { isWhole = false }
    default: break
    }
  }
}
