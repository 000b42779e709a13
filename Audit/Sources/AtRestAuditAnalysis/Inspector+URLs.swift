import AtRestAuditModel

extension Inspector {
  /// Returns the evidence that the headers of a request are sensitive, from what the code put into
  /// them, or nil.
  func sensitivity(ofHeaders request: Expression, in scope: Scope, depth: Int) -> Evidence? {
    guard let root = request.path else { return nil }
    let home: Scope =
      if case .local(_, _, let home) = meaning(of: root, in: scope, at: request.bare) { home } else
      {
        scope
      }
    for binding in home.bindings[root] ?? [] {
      switch binding.part {
      case .header(let key):
        if let found = sensitivity(ofEntry: key, binding.value, in: home, depth: depth) {
          return found
        }
      case .property("allHTTPHeaderFields"):
        if let found = sensitivity(of: binding.value, in: home, depth: depth + 1) { return found }
      default: continue
      }
    }
    return nil
  }

  /// Properties by which a part of a URL or of a request becomes a part of its description.
  static let partsOfURL: Set<String> = [
    "queryItems", "percentEncodedQueryItems", "query", "percentEncodedQuery", "fragment",
    "percentEncodedFragment", "url", "URL", "path", "percentEncodedPath",
  ]

  /// Members that contain what a URL or a request contains.
  static let viewsOfURL: Set<String> = [
    "url", "URL", "absoluteString", "absoluteURL", "query", "queryItems", "percentEncodedQuery",
    "fragment", "properties", "percentEncodedQueryItems", "originalRequest", "currentRequest",
  ]

  /// Types and methods that make a URL or a request from a text or a URL.
  static let makersOfURL: Set<String> = [
    "URL", "NSURL", "URLRequest", "NSURLRequest", "NSMutableURLRequest", "URLComponents",
    "NSURLComponents", "URLWithString", "requestWithURL", "initWithURL", "componentsWithString",
    "componentsWithURL",
  ]

  /// Types and methods that make a stream or a result from a value.
  static let publishers: Set<String> = [
    "Just", "just", "CurrentValueSubject", "BehaviorRelay", "BehaviorSubject", "Set", "NSSet",
    "NSOrderedSet", "success", "HTTPCookie", "cookieWithProperties",
  ]
}
