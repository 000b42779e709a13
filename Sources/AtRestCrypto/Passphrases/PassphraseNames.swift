/// First names, and common words and passwords of languages other than English, that people use in
/// passphrases. The list is made by hand.
enum PassphraseNames {
  static let names = """
    aaron adrian agnes agnieszka ahmed ahmet aisha albert alberto alejandra alejandro aleksandra alessandra
    alessandro alexandra alexis alfred ali alina alison allison amelia amelie amina ana anastasia andre andreas
    andrei andrej andres angela angelina angelo anita anja anke anne annette annika antoine anton antonia antonio
    arthur astrid ayse barbora beatriz bella ben bernd bernhard bettina birgit bjorn boris brigitte bruno camila
    camille carla carlo carmen carolina caroline cecilia celine cem charlotte chiara chloe christa christine
    christoph christophe christopher clara claude claudia clemens cristina daniela daniele dario david deborah denis
    dennis diego dieter dimitri dmitri dominik dominique dora doris eduardo ekaterina elena eleni elias elif elisa
    elisabeth elise ella elsa emil emilia emilie emine emma enrico erik erika ernst esra esther eva evelyn fabian
    fabio fatima fatma felix fernanda fernando filip fiona florence florian francesca francesco francisco franck
    francois franz franziska fred frederic freya frida friedrich gabriela gabriele gabriella georg george georgia
    gerd gerhard gertrud gianni gina giorgia giorgio giovanni giulia giuseppe gloria gonzalo grace greta guido
    guillaume gustav guy hana hanna hannes hasan hatice heidi heike heinz helena helga henri henrik herbert holger
    hugo hussein ibrahim ida igor ilaria ines inga inge ingrid irene irina iris isabel isabelle ivan ivana jakob
    jakub jan jana janine jasmin javier jean jens jeremy jesus jiri joachim joan joana joanna joao joerg johan
    johanna johannes jonas jonathan jorge josef josefine joshua juan juana jules julian julie julien julius jurgen
    kai karim karin karl karla karolina katarina katarzyna katharina kathrin katja kenneth kerstin khalid kim klaus
    konrad krzysztof kurt lars lea leah lena leo leon leonardo leonie lina linda lisa lorena lorenzo louise luca lucia
    lucie luigi luisa luise lukas luna lydia magda magdalena maja malte manfred manuel manuela marc marcel marcin
    marco marek margarita margaux margot marian mariana marianne marie mario marion marisa marius marko markus marta
    martha martina mateo mateusz mathias mathieu mathilde matteo matthias matthieu maurice max maxim maximilian mehmet
    melanie mia michael michal michel miguel mikhail mila milan milena mina miriam mirjam mohammad mohammed monica
    monika monique moritz mustafa nadia nadine nadja natalia natalie natasha nele nicola nicolas nicole niklas nikita
    nikola nikolai nils nina noah noemi nora norbert nour olaf olga olena oleg oliver olivier omar oscar oskar otto
    pablo paola paolo pascal patricia patrick paula paulina pauline pavel pedro petra petr philip philipp philippe
    pia pierre piotr rafael rainer ralf ramon raphael raquel regina reinhard rene renate ricardo riccardo rita roberto
    rodrigo roger roland roman romain rosa rosalie rudolf ruth sabine sabrina salma samira samuel sandra sandro sara
    saskia sergei sergey sergio silke silvia simona simone sonja stefan stefania stefano steffen stella sven svenja
    sylvie tamara tanja tatiana tatjana teresa theo theodor theresa thierry thorsten tim timo tina tobias tom tomas
    tomasz torsten ulrich ulrike ursula uwe valentin valentina valeria vera veronika victor victoria viktor vincent
    viola viktoria vladimir volker walther wanda werner wilhelm willi wolfgang yannick yasmin yusuf yvonne zeynep zoe
    zofia
    """

  static let passwords = """
    passwort hallo schatz schalke04 qwertz qwertzuiop hallo123 passwort1 liebling geheim sommer frankfurt fussball
    schatzi hamburg berlin ficken arschloch azerty azertyuiop motdepasse bonjour soleil chocolat doudou marseille
    loulou nicolas coucou jetaime contrasena contraseña tequiero hola barcelona estrella teamo princesa mariposa
    senha brasil flamengo corinthians saopaulo benfica amor juventus ciao napoli ciaociao amore forzainter wachtwoord
    welkom ajax feyenoord lieveling haslo hasło polska kochanie misiek dupa qwerty1 zaq12wsx heslo slovan lozinka
    parola galatasaray fenerbahce besiktas sifre istanbul privet parol marina zaqxsw salasana lösenord losenord
    hejsan sommar vinter adgangskode passord jelszo budapest welcome welcome1 admin root user guest login changeit
    default demo test1 sample example letmein123 iloveu qwe123 q1w2e3 1q2w3e 1q2w3e4r 1q2w3e4r5t zxc123 asd123
    """
}
