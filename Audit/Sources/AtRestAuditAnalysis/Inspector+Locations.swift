import AtRestAuditModel

extension Inspector {
  /// Returns evidence if the type of a value says that it is a place on the earth. It can be that of a shop as
  /// well as that of the person.
  func location(_ expression: Expression, in scope: Scope) -> Evidence? {
    switch expression.kind {
    case .name, .member, .index: break
    default: return nil
    }
    guard project.imports.contains("CoreLocation") || project.imports.contains("MapKit"),
      let type = type(of: expression, in: scope)
    else { return nil }
    let plain = TypeName.element(type) ?? TypeName.plain(type)
    guard Self.locations.contains(plain) else { return nil }
    // `CLLocation.self`
    if case .name(plain) = expression.kind { return nil }
    return Evidence(
      sensitivity: .location, name: expression.written, source: .type, type: plain)
  }

  private static let locations: Set<String> = ["CLLocation", "CLLocationCoordinate2D"]

  /// The types of the places in types of Core Location and MapKit, by the names of the type and of the member.
  static let places: [String: String] = [
    "CLLocationManager.location": "CLLocation", "CLLocation.coordinate": "CLLocationCoordinate2D",
    "CLVisit.coordinate": "CLLocationCoordinate2D", "MKMapView.userLocation": "MKUserLocation",
    "MKUserLocation.location": "CLLocation", "MKUserLocation.coordinate": "CLLocationCoordinate2D",
  ]
}
