import AtRestFormats
import Foundation

/// Visits every file of a container and every value in it, including values in nested formats.
///
/// ```swift
/// let walk = ContainerWalk(try ContainerSource("App.ipa"))
/// let summary = try walk.run { item in print(item.locator, item.content) }
/// ```
///
/// Files are distributed over the cores, so values arrive in no particular order. The summary is in
/// order. Nothing is modified. Parts that are damaged, too large or nested too deeply are recorded
/// in the summary with their place, and the walk continues.
package struct ContainerWalk: Sendable {
  let source: ContainerSource
  let limits: WalkLimits
  let hashes: Bool
  let rawBytes: Bool

  /// Creates a walk through a source.
  ///
  /// - Parameters:
  ///   - hashes: True to compute the SHA-256 of each file.
  ///   - rawBytes: True to visit the bytes of each file in windows, in addition to its values, so
  ///     that parts in unknown formats are visited too.
  package init(
    _ source: ContainerSource, limits: WalkLimits = .standard, hashes: Bool = false,
    rawBytes: Bool = true
  ) {
    self.source = source
    self.limits = limits
    self.hashes = hashes
    self.rawBytes = rawBytes
  }

  /// Visits all files.
  ///
  /// - Parameter visit: Called from several threads at once.
  /// - Throws: ``FormatError`` if the files cannot be listed.
  package func run(_ visit: @escaping @Sendable (Item) -> Void) throws(FormatError) -> WalkSummary {
    try run(searching: { item in
      visit(item)
      return []
    })
  }

  /// Returns the ranges in which something was found, if the item consists of raw bytes.
  typealias Visitor = @Sendable (Item) -> [Range<Int>]

  /// Visits all files, and says of each line whether something was found in its raw bytes.
  func run(searching visit: @escaping Visitor) throws(FormatError) -> WalkSummary {
    let listing = try source.tree.list(limit: limits.files)
    let group = FileGroup(tree: source.tree, base: nil, files: listing.files, depth: 0)
    return run(listing.files.map { .file(ListedFile(file: $0, group: group)) }, listing, visit)
  }

  /// Visits files of the container that were decrypted.
  func run(_ files: [DecryptedFile], searching visit: @escaping Visitor) -> WalkSummary {
    run(files.map { .decrypted($0) }, FileListing(), visit)
  }

  private func run(
    _ tasks: [FileTask], _ listing: FileListing, _ visit: @escaping Visitor
  ) -> WalkSummary {
    let state = WalkState(self, visit)
    state.add(listing.problems)
    state.countFiles(listing.files.count)
    let queue = WorkQueue<FileTask>()
    queue.add(tasks)
    queue.run { task in
      let walk = FileWalk(state, queue)
      switch task {
      case .file(let file): walk.walk(file)
      case .piece(let piece): walk.walk(piece)
      case .decrypted(let file): walk.walk(file)
      }
      state.add(walk)
    }
    return state.summary
  }
}
