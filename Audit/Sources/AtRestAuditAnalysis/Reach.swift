import AtRestAuditModel
import AtRestFormats

/// The code and the scenes that can be reached from where an app begins.
///
/// The search is by names, and errs towards what is reached: a type, a function or a scene is reached if
/// reached code mentions its name, in code or as a string. So it is also found behind `NSClassFromString`, a
/// selector or the identifier of a storyboard.
package struct Reach: Sendable {
  /// A declaration or a scene with its place.
  private struct Region: Sendable {
    let start: Position
    let end: Position
    let isReached: Bool
  }

  /// The regions of each file that has one which is not reached.
  private let regions: [String: [Region]]

  /// Everything is reached, because the beginning of the app is not known.
  init() { self.init(regions: [:]) }

  private init(regions: [String: [Region]]) { self.regions = regions }

  /// Returns true unless nothing leads to the code or to the scene around a place.
  package func isReached(_ location: Location) -> Bool {
    guard let all = regions[location.path] else { return true }
    var inner: Region?
    for region in all where region.start <= location.start && location.start < region.end {
      if inner.map({ region.start >= $0.start && region.end <= $0.end }) ?? true { inner = region }
    }
    return inner?.isReached ?? true
  }

  /// Searches a project.
  init(
    files: [SourceFile], types: [String: TypeFacts], resources: ResourceFacts
  ) {
    guard resources.hasApplication, resources.isWhole, ReachSearch.hasBeginning(files) else {
      self.init()
      return
    }
    var search = ReachSearch(files: files, types: types, resources: resources)
    search.run()
    guard search.isPlausible else {
      self.init()
      return
    }
    var regions: [String: [Region]] = [:]
    for (file, units) in zip(files, search.units) where units.contains(where: { !$0.isReached }) {
      regions[file.path] = units.map {
        Region(
          start: file.lines.position(of: $0.range.lowerBound),
          end: file.lines.position(of: $0.range.upperBound), isReached: $0.isReached)
      }
    }
    for (interface, reached) in zip(resources.interfaces, search.scenes)
    where reached.contains(false) {
      let starts = interface.scenes.map(\.start)
      regions[interface.path] = starts.indices.map { index in
        Region(
          start: starts[index],
          end: index + 1 < starts.count ? starts[index + 1] : Position(line: .max, column: 1),
          isReached: reached[index])
      }
    }
    self.init(regions: regions)
  }
}
