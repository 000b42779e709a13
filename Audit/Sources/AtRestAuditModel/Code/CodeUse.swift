import AtRestFormats

/// The API that source code uses, to compare with entitlements and the privacy manifest.
package struct CodeUse: Sendable {
  /// The modules that are imported, and the folders of headers that are included.
  package var modules: Set<String>
  /// The names of functions, types, constants and arguments in the code.
  package var names: Set<String>
  /// The places that use each category of API that needs a reason.
  package var categories: [RequiredReason: [Location]]

  package init(
    modules: Set<String> = [], names: Set<String> = [],
    categories: [RequiredReason: [Location]] = [:]
  ) {
    self.modules = modules
    self.names = names
    self.categories = categories
  }
}
