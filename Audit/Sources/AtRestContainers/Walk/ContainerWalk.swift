import AtRestFormats
import Foundation

/// Goes through every file of a container, opens formats within formats, and gives each value.
///
///     let walk = ContainerWalk(try ContainerSource("App.ipa"))
///     let summary = try walk.run { item in print(item.locator, item.content) }
///
/// Files are spread over the cores, so values come in no order of their own; the summary is in order.
/// Nothing is altered. What is broken, too large or nested too deep is said in the summary with its
/// place, and the walk goes on.
package struct ContainerWalk: Sendable {
  let source: ContainerSource
  let limits: WalkLimits
  let hashes: Bool
  let rawBytes: Bool

  /// - Parameters:
  ///   - hashes: Whether the SHA-256 of each file is wanted.
  ///   - rawBytes: Whether the bytes of each file are given besides its values, window by window, so
  ///     that what no format accounts for is seen too.
  package init(
    _ source: ContainerSource, limits: WalkLimits = .standard, hashes: Bool = false,
    rawBytes: Bool = true
  ) {
    self.source = source
    self.limits = limits
    self.hashes = hashes
    self.rawBytes = rawBytes
  }

  /// Goes through all files.
  ///
  /// - Parameter visit: Is called from several threads at once.
  /// - Throws: ``FormatError`` if the files cannot be listed at all.
  package func run(_ visit: @escaping @Sendable (Item) -> Void) throws(FormatError) -> WalkSummary {
    let listing = try source.tree.list(limit: limits.files)
    let state = WalkState(self, visit)
    state.add(listing.problems)
    state.countFiles(listing.files.count)
    let group = FileGroup(tree: source.tree, base: nil, files: listing.files, depth: 0)
    let queue = WorkQueue<FileTask>()
    queue.add(listing.files.map { FileTask(file: $0, group: group) })
    queue.run { task in
      let walk = FileWalk(state, queue)
      walk.walk(task)
      state.add(walk)
    }
    return state.summary
  }
}
