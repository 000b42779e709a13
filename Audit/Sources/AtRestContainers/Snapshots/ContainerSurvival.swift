/// The traces of a use of an app that are still there afterwards, such as after a logout.
///
/// Three snapshots are compared: before the use, after it, and at the end. A trace is a value or a file that the use added
/// or changed.
package struct ContainerSurvival: Codable, Hashable, Sendable {
  /// The files with traces that are still there, in the order of their paths.
  package let files: [File]
  /// The number of traces that are gone or were overwritten.
  package let gone: Int

  package struct File: Codable, Hashable, Sendable {
    package let path: String
    /// True if the file is as it was after the use, and was not before.
    package let isSame: Bool
    /// The places of values that are as they were after the use, in order.
    package let kept: [String]
    /// The places of values that were deleted, but are still readable in free space of the file.
    package let deleted: [String]
  }

  /// Compares three snapshots.
  ///
  /// - Returns: Nil if the snapshots were not made comparable to each other.
  package init?(
    before: ContainerSnapshot, after use: ContainerSnapshot, at end: ContainerSnapshot
  ) {
    guard before.salt == use.salt, use.salt == end.salt else { return nil }
    let first = Dictionary(before.files.map { ($0.path, $0) }) { first, _ in first }
    let last = Dictionary(end.files.map { ($0.path, $0) }) { first, _ in first }
    var gone = 0
    files = use.files.compactMap { used in
      let old = first[used.path]
      let now = last[used.path]
      let freed = Set(now?.deleted ?? [])
      var (kept, deleted): ([String], [String]) = ([], [])
      for (place, hash) in used.values where old?.values[place] != hash {
        if now?.values[place] == hash {
          kept.append(place)
        } else if freed.contains(hash) {
          deleted.append(place)
        } else {
          gone += 1
        }
      }
      let isTrace = used.sha256 != nil && used.sha256 != old?.sha256
      let isSame = isTrace && used.sha256 == now?.sha256
      if isTrace, !isSame, used.values.isEmpty { gone += 1 }
      guard isSame || !kept.isEmpty || !deleted.isEmpty else { return nil }
      return File(path: used.path, isSame: isSame, kept: kept.sorted(), deleted: deleted.sorted())
    }
    self.gone = gone
  }
}
