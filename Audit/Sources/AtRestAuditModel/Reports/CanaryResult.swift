/// A canary that was searched for in a container, and the places where it was found.
///
/// The result contains the name of the canary, and never its value.
public struct CanaryResult: Hashable, Sendable {
  public let name: String
  /// The places, ordered by path. The list is empty if the canary was not found.
  public var places: [Place]

  /// Creates the result for a canary.
  public init(name: String, places: [Place] = []) {
    self.name = name
    self.places = places
  }

  /// A column, key path or file in which a canary was found one or more times.
  public struct Place: Hashable, Sendable {
    /// The path of the file, which begins with the name of the container.
    public let path: String
    /// The steps from the file to the value, without rows and indices.
    public let column: [String]
    /// The encodings of the value, or an empty list if it is stored as typed.
    public let encodings: [String]
    /// True if the value is in space that the format treats as free.
    public let isDeleted: Bool
    /// True if the value is in a keychain item that only this device can read.
    public let isGuarded: Bool
    /// The number of values.
    public var count: Int

    /// Creates a place.
    public init(
      path: String, column: [String], encodings: [String] = [], isDeleted: Bool = false,
      isGuarded: Bool = false, count: Int = 1
    ) {
      self.path = path
      self.column = column
      self.encodings = encodings
      self.isDeleted = isDeleted
      self.isGuarded = isGuarded
      self.count = count
    }
  }

  /// Adds a place, or counts it if it is already known.
  package mutating func add(_ place: Place) {
    var one = place
    for (index, known) in places.enumerated() {
      one.count = known.count
      guard one == known else { continue }
      places[index].count += place.count
      return
    }
    places.append(place)
  }
}
