import AtRestAuditModel
import SwiftSyntax

/// Collects the declarations of a file, a type or a block of `#if`.
struct DeclarationReader {
  private(set) var imports: [String] = []
  private(set) var conditionalImports: Set<String> = []
  private(set) var types: [TypeDeclaration] = []
  private(set) var functions: [Function] = []
  private(set) var variables: [Variable] = []
  private(set) var cases: [Variable] = []
  private(set) var statements: [Statement] = []
  /// The ranges of previews, which are code for the editor.
  private(set) var previews: [Range<Int32>] = []
  private var condition: String?

  mutating func read(_ items: CodeBlockItemListSyntax) {
    for item in items {
      switch item.item {
      case .decl(let declaration): read(declaration)
      case .stmt(let statement): statements.append(contentsOf: StatementReader.read(statement))
      case .expr(let expression):
        statements.append(contentsOf: StatementReader.read(expression: expression))
      }
    }
  }

  mutating func read(_ members: MemberBlockItemListSyntax) {
    for member in members { read(member.decl) }
  }

  mutating func read(_ declaration: DeclSyntax) {
    switch declaration.kind {
    case .importDecl:
      let module = written(declaration.cast(ImportDeclSyntax.self).path)
      if condition == nil {
        conditionalImports.remove(module)
      } else if !imports.contains(module) {
        conditionalImports.insert(module)
      }
      imports.append(module)
    case .variableDecl:
      variables += Self.variables(
        declaration.cast(VariableDeclSyntax.self), condition: condition)
    case .functionDecl, .initializerDecl, .deinitializerDecl, .subscriptDecl:
      if let function = Self.function(declaration, condition: condition) {
        functions.append(function)
      }
    case .ifConfigDecl:
      let outer = condition
      for (text, elements) in clauses(of: declaration.cast(IfConfigDeclSyntax.self)) {
        condition = outer.map { BuildCondition.both($0, text) } ?? text
        switch elements {
        case .statements(let items):
          let count = statements.count
          read(items)
          if statements.count > count {
            let inner = Array(statements[count...])
            statements.removeSubrange(count...)
            statements.append(.conditional(text, Block(inner)))
          }
        case .decls(let members): read(members)
        default: break
        }
      }
      condition = outer
    case .enumCaseDecl:
      for element in declaration.cast(EnumCaseDeclSyntax.self).elements {
        cases.append(
          Variable(
            name: element.name.plainText, value: element.rawValue.map { expression($0.value) },
            payload: element.parameterClause.map { Self.payload($0.parameters) } ?? [],
            isConstant: true, isStatic: true, range: range(element),
            nameOffset: offset(element.name), condition: condition))
      }
    default:
      // A preview is code for the editor.
      guard let type = Self.type(declaration, condition: condition) else { return }
      if type.inherited.contains("PreviewProvider") {
        previews.append(type.range)
      } else {
        types.append(type)
      }
    }
  }

  /// - Parameter condition: The condition under which the type and its members are compiled.
  static func type(_ declaration: DeclSyntax, condition: String? = nil) -> TypeDeclaration? {
    func make(
      _ form: TypeDeclaration.Form, _ name: String, at nameOffset: Int32,
      _ node: some DeclGroupSyntax
    ) -> TypeDeclaration {
      var reader = DeclarationReader()
      reader.condition = condition
      reader.read(node.memberBlock.members)
      return TypeDeclaration(
        form: form, name: name,
        inherited: node.inheritanceClause?.inheritedTypes.map { typeText($0.type) } ?? [],
        attributes: attributes(node.attributes), variables: reader.variables,
        functions: reader.functions, types: reader.types, cases: reader.cases,
        range: range(declaration), nameOffset: nameOffset)
    }
    func named(
      _ form: TypeDeclaration.Form, _ node: some DeclGroupSyntax & NamedDeclSyntax
    ) -> TypeDeclaration {
      make(form, node.name.plainText, at: offset(node.name), node)
    }
    switch declaration.kind {
    case .classDecl: return named(.class, declaration.cast(ClassDeclSyntax.self))
    case .structDecl: return named(.struct, declaration.cast(StructDeclSyntax.self))
    case .enumDecl: return named(.enum, declaration.cast(EnumDeclSyntax.self))
    case .actorDecl: return named(.actor, declaration.cast(ActorDeclSyntax.self))
    case .protocolDecl: return named(.protocol, declaration.cast(ProtocolDeclSyntax.self))
    case .extensionDecl:
      let node = declaration.cast(ExtensionDeclSyntax.self)
      let name = typeText(node.extendedType)
      // The name is missing if the file ends after the keyword.
      let last = name.prefix { $0 != "<" }.split(separator: ".").last.map(String.init)
      return make(.extension, last ?? name, at: offset(node.extendedType), node)
    default: return nil
    }
  }

  static func function(_ declaration: DeclSyntax, condition: String? = nil) -> Function? {
    switch declaration.kind {
    case .functionDecl:
      let node = declaration.cast(FunctionDeclSyntax.self)
      return Function(
        name: node.name.plainText,
        parameters: parameters(node.signature.parameterClause.parameters),
        result: node.signature.returnClause.map { typeText($0.type) },
        isStatic: isStatic(node.modifiers), isOverride: isOverride(node.modifiers),
        isPrivate: isPrivate(node.modifiers), attributes: attributes(node.attributes),
        body: node.body.map { StatementReader.block($0.statements) }, range: range(node),
        nameOffset: offset(node.name), condition: condition)
    case .initializerDecl:
      let node = declaration.cast(InitializerDeclSyntax.self)
      return Function(
        name: "init", parameters: parameters(node.signature.parameterClause.parameters),
        attributes: attributes(node.attributes),
        body: node.body.map { StatementReader.block($0.statements) }, range: range(node),
        nameOffset: offset(node.initKeyword), condition: condition)
    case .deinitializerDecl:
      let node = declaration.cast(DeinitializerDeclSyntax.self)
      return Function(
        name: "deinit", body: node.body.map { StatementReader.block($0.statements) },
        range: range(node), nameOffset: offset(node.deinitKeyword), condition: condition)
    case .subscriptDecl:
      let node = declaration.cast(SubscriptDeclSyntax.self)
      let parts = node.accessorBlock.map(accessors) ?? []
      return Function(
        name: "subscript", parameters: parameters(node.parameterClause.parameters),
        result: typeText(node.returnClause.type), isStatic: isStatic(node.modifiers),
        body: Block(parts.map { .block($0.body ?? Block()) }), range: range(node),
        nameOffset: offset(node.subscriptKeyword), condition: condition)
    default: return nil
    }
  }

  static func variables(
    _ node: VariableDeclSyntax, condition: String? = nil
  ) -> [Variable] {
    let isConstant = node.bindingSpecifier.tokenKind == .keyword(.let)
    let attributes = attributes(node.attributes)
    let isStatic = isStatic(node.modifiers)
    let isOverride = isOverride(node.modifiers)
    let isPrivate = isPrivate(node.modifiers)
    return node.bindings.flatMap { binding in
      let value = binding.initializer.map { expression($0.value) }
      let accessors = binding.accessorBlock.map(accessors) ?? []
      return names(in: binding.pattern).map { bound in
        Variable(
          name: bound.name, type: binding.typeAnnotation.flatMap { bound.type(in: $0.type) },
          value: value, pieces: bound.pieces, isConstant: isConstant, isStatic: isStatic,
          isOverride: isOverride, isPrivate: isPrivate, attributes: attributes,
          accessors: accessors, range: range(node),
          nameOffset: bound.offset, condition: condition)
      }
    }
  }

  static func parameters(_ list: FunctionParameterListSyntax) -> [Parameter] {
    list.map { node in
      let first = node.firstName.plainText
      return Parameter(
        label: first == "_" ? nil : first, name: node.secondName?.plainText ?? first,
        type: typeText(node.type), value: node.defaultValue.map { expression($0.value) },
        nameOffset: offset(node.secondName ?? node.firstName), isVariadic: node.ellipsis != nil)
    }
  }

  private static func payload(_ list: EnumCaseParameterListSyntax) -> [Parameter] {
    list.map { node in
      let first = node.firstName?.plainText
      return Parameter(
        label: first == "_" ? nil : first, name: node.secondName?.plainText ?? first ?? "",
        type: typeText(node.type), nameOffset: offset(node))
    }
  }

  private static func accessors(_ block: AccessorBlockSyntax) -> [Function] {
    switch block.accessors {
    case .getter(let items):
      return [
        Function(
          name: "get", body: StatementReader.block(items), range: range(block),
          nameOffset: offset(block))
      ]
    case .accessors(let list):
      return list.map { node in
        Function(
          name: node.accessorSpecifier.text,
          parameters: node.parameters.map {
            [Parameter(label: nil, name: $0.name.plainText, nameOffset: offset($0.name))]
          } ?? [],
          body: node.body.map { StatementReader.block($0.statements) }, range: range(node),
          nameOffset: offset(node))
      }
    }
  }

  static func attributes(_ list: AttributeListSyntax) -> [Attribute] {
    guard !list.isEmpty else { return [] }
    return list.compactMap { element in
      guard let node = element.as(AttributeSyntax.self) else { return nil }
      var arguments: [Argument] = []
      switch node.arguments {
      case .argumentList(let list)?: arguments = list.map(argument)
      // `@available(*, deprecated, message: "…")`
      case .availability(let list)?:
        arguments = list.map { part in
          let name = written(part.argument).prefix { $0 != ":" && $0 != " " }
          return Argument(nil, Expression(.name(String(name)), range(part)))
        }
      // `@objc(save:to:)`
      case .objCName(let name)?:
        arguments = [Argument(nil, Expression(.name(written(name)), range(name)))]
      default: break
      }
      return Attribute(typeText(node.attributeName), arguments)
    }
  }

  private static func isStatic(_ modifiers: DeclModifierListSyntax) -> Bool {
    modifiers.contains { $0.name.text == "static" || $0.name.text == "class" }
  }

  private static func isOverride(_ modifiers: DeclModifierListSyntax) -> Bool {
    modifiers.contains { $0.name.text == "override" }
  }

  /// Returns true for what only its own file can use. `private(set)` restricts no more than the setter.
  private static func isPrivate(_ modifiers: DeclModifierListSyntax) -> Bool {
    modifiers.contains {
      $0.detail == nil && ($0.name.text == "private" || $0.name.text == "fileprivate")
    }
  }
}

/// Returns the branches of `#if`, each with the condition under which it is compiled.
func clauses(
  of node: IfConfigDeclSyntax
) -> [(condition: String, elements: IfConfigClauseSyntax.Elements)] {
  var earlier: [String] = []
  var result: [(condition: String, elements: IfConfigClauseSyntax.Elements)] = []
  for clause in node.clauses {
    let own = clause.condition.map { written($0) }
    let all = earlier.map { "!(\($0))" } + (own.map { [$0] } ?? [])
    if let elements = clause.elements {
      result.append((all.joined(separator: " && "), elements))
    }
    if let own { earlier.append(own) }
  }
  return result
}

/// Returns a type as written, without a trailing `?` or `!`.
func typeText(_ type: TypeSyntax) -> String {
  switch type.kind {
  case .identifierType:
    let node = type.cast(IdentifierTypeSyntax.self)
    if node.genericArgumentClause == nil { return node.name.plainText }
  case .optionalType: return typeText(type.cast(OptionalTypeSyntax.self).wrappedType)
  case .implicitlyUnwrappedOptionalType:
    return typeText(type.cast(ImplicitlyUnwrappedOptionalTypeSyntax.self).wrappedType)
  case .attributedType: return typeText(type.cast(AttributedTypeSyntax.self).baseType)
  case .someOrAnyType: return typeText(type.cast(SomeOrAnyTypeSyntax.self).constraint)
  default: break
  }
  return written(type)
}

/// Returns the source of a node without the trivia around it. The function of swift-syntax for this
/// purpose builds a tree.
func written(_ node: some SyntaxProtocol) -> String {
  let all = node.description.utf8.dropFirst(node.leadingTriviaLength.utf8Length)
  return String(decoding: all.dropLast(node.trailingTriviaLength.utf8Length), as: UTF8.self)
}

func range(_ node: some SyntaxProtocol) -> Range<Int32> {
  let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
  let end = max(start, node.endPositionBeforeTrailingTrivia.utf8Offset)
  return Int32(clamping: start)..<Int32(clamping: end)
}

func offset(_ node: some SyntaxProtocol) -> Int32 {
  Int32(clamping: node.positionAfterSkippingLeadingTrivia.utf8Offset)
}

extension TokenSyntax {
  /// The name without the backticks that allow a keyword as a name.
  var plainText: String {
    let text = self.text
    return text.utf8.first == 0x60 && text.utf8.count > 2
      ? String(text.dropFirst().dropLast()) : text
  }
}
