"""Holds last names, first names and printed labels from which training draws words."""

LAST = """
Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins
Carvalho Almeida Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes
Marques Machado Mendes Freitas Cardoso Ramos Gonçalves Teixeira Correia Azevedo Cunha Moura Rossi
Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Mancini Giordano
Rizzo Lombardi Moretti Barbieri Fontana Santoro Mariani Rinaldi Caruso Ferrara Galli Martini Leone
Longo Gentile Martinelli Vitale Serra Coppola Marchetti Parisi Villa Conte Ferraro Ferri Fabbri
Bianco Marini Grasso Valentini Messina Sala Gatti Pellegrini Palumbo Sanna Farina Rizzi Monti
Cattaneo Morelli Amato Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann
Koch Richter Bauer Klein Wolf Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann
Lange Schmitt Werner Krause Lehmann Köhler Herrmann König Walter Mayer Huber Kaiser Fuchs Peters
Scholz Lang Möller Weiß Jung Hahn Schubert Vogel Friedrich Keller Günther Frank Berger Winkler Roth
Beck Lorenz Baumann Franke Albrecht Schuster Simon Ludwig Böhm Winter Kraus Martin Schumacher Krämer
Vogt Stein Jäger Otto Sommer Groß Seidel Heinrich Brandt Haas Schreiber Graf Dietrich Ziegler Kuhn
Kühn García González Rodríguez Fernández López Martínez Sánchez Pérez Gómez Jiménez Ruiz Hernández
Díaz Moreno Muñoz Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Gil Ramírez
Serrano Blanco Molina Morales Suárez Ortega Delgado Castro Ortiz Rubio Marín Sanz Iglesias Medina
Garrido Cortés Castillo Lozano Guerrero Cano Prieto Méndez Cruz Calvo Gallego Vidal León Herrera
Peña Flores Cabrera Campos Vega Fuentes Bernard Dubois Thomas Robert Richard Petit Durand Leroy
Moreau Laurent Lefebvre Michel Bertrand Roux Vincent Fournier Morel Girard André Mercier Dupont
Lambert Bonnet François Martinez Legrand Garnier Faure Rousseau Blanc Guérin Muller Henry Roussel
Nicolas Perrin Morin Mathieu Clément Gauthier Dumont Lopez Fontaine Chevalier Robin Masson Gérard
Nguyen Boyer Denis Lemaire Duval Joly Gautier Roger Renard Picard Arnaud Jansen Vries Berg Dijk
Bakker Visser Smit Meijer Boer Mulder Groot Bos Vos Hendriks Leeuwen Dekker Brouwer Dijkstra Smits
Graaf Meer Linden Kok Jacobs Haan Vermeulen Heuvel Veen Broek Hoekstra Schouten Willems Verhoeven
Timmermans Bosch Kuiper Postma Veenstra Kuipers Molenaar Nowak Kowalski Wiśniewski Wójcik Kowalczyk
Kamiński Lewandowski Zieliński Szymański Woźniak Dąbrowski Kozłowski Jankowski Mazur Kwiatkowski
Krawczyk Kaczmarek Piotrowski Grabowski Zając Pawłowski Michalski Król Wieczorek Jabłoński Wróbel
Nowakowski Majewski Olszewski Stępień Novák Svoboda Novotný Dvořák Černý Procházka Kučera Veselý
Horák Němec Pokorný Pospíšil Hájek Jelínek Král Růžička Beneš Fiala Sedláček Doležal Nagy Kovács
Tóth Szabó Horváth Varga Kiss Molnár Németh Farkas Balogh Papp Takács Juhász Lakatos Mészáros Oláh
Simon Rácz Fekete Szilágyi Ivanov Petrov Sidorov Smirnov Kuznetsov Popov Vasiliev Sokolov Mikhailov
Novikov Fedorov Morozov Volkov Alekseev Lebedev Semenov Egorov Pavlov Kozlov Stepanov Nikolaev Orlov
Andreev Makarov Nikitin Zakharov Zaitsev Solovyov Borisov Yakovlev Grigoriev Romanov Vorobiev
Sergeev Kuzmin Frolov Aleksandrov Dmitriev Korolev Gusev Kiselev Ilyin Maksimov Polyakov Sorokin
Vinogradov Kovalev Belov Medvedev Antonov Tarasov Zhukov Shevchenko Bondarenko Kovalenko Tkachenko
Kravchenko Oliynyk Shevchuk Polishchuk Lysenko Savchenko Rudenko Marchenko Petrenko Moroz Georgiev
Dimitrov Stoyanov Todorov Hristov Angelov Iliev Marinov Petkov Kolev Popescu Ionescu Popa Radu
Dumitru Stan Stoica Gheorghe Rusu Jovanović Petrović Nikolić Marković Đorđević Stojanović Ilić
Stanković Pavlović Milošević Horvat Kovačević Babić Marić Novak Jurić Zupančič Andersson Johansson
Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Pettersson Jonsson Jansson
Hansson Bengtsson Lindberg Hansen Johansen Olsen Larsen Andersen Pedersen Nilsen Kristiansen Jensen
Karlsen Johnsen Pettersen Eriksen Berg Haugen Hagen Johannessen Dahl Nielsen Christensen Sørensen
Rasmussen Jørgensen Madsen Kristensen Thomsen Møller Korhonen Virtanen Mäkinen Nieminen Mäkelä
Hämäläinen Laine Yılmaz Kaya Demir Şahin Çelik Yıldız Yıldırım Öztürk Aydın Özdemir Arslan Doğan
Kılıç Aslan Çetin Kara Koç Kurt Özkan Şimşek Polat Korkmaz Papadopoulos Nikolaidis Georgiou
Dimitriou Ioannidis Karagiannis Vlachos Makris Pappas Konstantinou Kim Lee Park Choi Jung Kang Cho
Yoon Jang Wang Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo Lin Luo Liang Tanaka
Suzuki Sato Watanabe Ito Yamamoto Nakamura Kobayashi Kumar Singh Sharma Patel Gupta Reddy Rao Iyer
Nair Menon Krishnan Subramanian Venkatesh Narayanan Ramesh Srinivasan Chakraborty Banerjee Mukherjee
Smith Jones Taylor Brown Williams Wilson Johnson Davies Robinson Wright Thompson Evans Walker White
Roberts Green Hall Wood Jackson Clarke Harris Lewis Young King Baker Adams Mitchell Campbell
Anderson Phillips Parker Edwards Collins Stewart Morris Murphy Cook Rogers Bell Cooper Hussain Ahmed
Khan Ali Mahmoud Hassan Ibrahim Rahman Mohamed Saleh Abdullah Farouk Haddad Mansour Okafor Adeyemi
Mensah Diallo Traoré Ndiaye Cohen Levy Mizrahi Peretz Friedman Katz Shapiro Goldberg Berzins Kalnins
Ozols Kazlauskas Jankauskas Tamm Saar Sepp Petrosyan Harutyunyan Sargsyan Grigoryan Hovhannisyan
Beridze Kapanadze Lomidze Mammadov Aliyev Huseynov Guliyev Tran Pham Hoang Phan Vu Dang Bui Do Ngo
Duong
""".split()

FIRST = """
João José Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Daniel Marcelo
Bruno Eduardo Felipe Rodrigo Manoel Mateus André Fernando Fábio Leonardo Gustavo Guilherme Leandro
Tiago Ricardo Maria Ana Francisca Antônia Adriana Juliana Márcia Fernanda Patrícia Aline Marco
Giuseppe Giovanni Antonio Mario Luigi Francesco Angelo Vincenzo Pietro Salvatore Domenico Franco
Alessandro Andrea Stefano Roberto Paolo Matteo Lorenzo Davide Simone Luca Riccardo Federico Giulia
Chiara Francesca Elena Sara Laura Martina Alessia Valentina Giorgia Silvia Paola Hans Peter Wolfgang
Klaus Jürgen Dieter Manfred Uwe Günter Horst Bernd Helmut Werner Karl Heinz Rolf Gerhard Stefan
Thomas Michael Andreas Christian Jörg Frank Jens Ralf Dirk Torsten Sven Tobias Florian Sebastian Jan
Philipp Lukas Leon Finn Jonas Maximilian Felix Anna Julia Sabine Petra Monika Ursula Renate Katrin
Anja Claudia Birgit Juan Manuel Jesús Javier David Francisco Miguel Ángel Alejandro Rafael Sergio
Pablo Jorge Alberto Álvaro Diego Adrián Raúl Iván Rubén Enrique Óscar Ramón Vicente Andrés Joaquín
Carmen Josefa Isabel Dolores Pilar Teresa Rosa Cristina Jean Pierre Michel Philippe Alain Bernard
Jacques Daniel Patrick Nicolas Christophe Laurent Éric Frédéric Stéphane Olivier Julien Sébastien
Guillaume Antoine Alexandre Hugo Louis Marie Nathalie Isabelle Sylvie Catherine Sophie Émilie
Camille Léa Chloé Johannes Cornelis Willem Pieter Hendrik Gerrit Jeroen Maarten Bart Joost Sander
Thijs Daan Sem Bram Ruud Kees Piotr Krzysztof Andrzej Tomasz Paweł Jan Michał Marcin Stanisław Jakub
Adam Marek Łukasz Grzegorz Mateusz Wojciech Mariusz Dariusz Zbigniew Jerzy Maciej Rafał Robert Kamil
Jacek Katarzyna Małgorzata Agnieszka Jiří Petr Pavel Martin Tomáš Jaroslav Miroslav Zdeněk Václav
Michal Vojtěch Ondřej László István József Zoltán Sándor Gábor Ferenc Attila Péter Aleksandr Sergey
Dmitry Andrey Aleksey Maxim Evgeny Ivan Mikhail Vladimir Nikolay Pavel Roman Artem Kirill Igor
Viktor Oleg Yuri Vadim Olga Tatiana Natalia Ekaterina Svetlana Irina Anastasia Ludmila Oleksandr
Volodymyr Vasyl Taras Bohdan Georgi Nikola Stoyan Vasil Milan Dragan Zoran Goran Nenad Branko Ante
Luka Erik Lars Anders Per Mikael Johan Karl Nils Olof Magnus Henrik Bjørn Kjell Ole Søren Jesper
Rasmus Mikkel Juha Mehmet Mustafa Ahmet Ali Hüseyin Hasan İbrahim Osman Yusuf Murat Emre Burak Can
Georgios Dimitrios Konstantinos Ioannis Nikolaos Panagiotis Wei Ming Jun Hao Yi Xin Hiroshi Kenji
Takashi Yuki Haruto Rajesh Suresh Vijay Anand Arjun Rohan Priya Lakshmi Viswanathan Harikrishna Min
Jae John William James George Charles Robert Joseph Edward Henry Arthur Oliver Harry Jack Jacob
Charlie Emily Grace Alice Rebecca Victoria Hannah Mohammed Omar Youssef Karim Tarek Kwame Chinedu
Amara Moshe Avraham Yael Boris Arkady Levon Tigran Gevorg Zurab Giorgi Nino Minh Anh Quang Thanh
""".split()

# Labels that forms print beside their fields.
LABELS = """
White Black Event Date Round Board Result Signature Opening Site Section Team Name Rating Elo Title
Tournament Place Time Table Rd Bd No ECO Player Brancas Pretas Prova Data Ronda Mesa Resultado
Assinatura Abertura Torneio Rodada Tabuleiro Local Equipe Jogador Nome Evento Clube Categoria Bianco
Nero Torneo Turno Tavolo Scacchiera Risultato Firma Apertura Circolo Luogo Nome Cognome Giocatore
Arbitro Squadra Weiß Schwarz Weiss Veranstaltung Datum Runde Brett Ergebnis Unterschrift Eröffnung
Turnier Verein Ort Mannschaft Spieler Partie Wettkampf Klasse Blancas Negras Fecha Ronda Tablero
Mesa Lugar Equipo Jugador Nombre Blancs Noirs Tournoi Ronde Échiquier Résultat Ouverture Lieu Nom
Joueur Équipe Blanc Noir Table Wit Zwart Toernooi Uitslag Handtekening Bord Plaats Naam Białe Czarne
Turniej Runda Stolik Wynik Podpis Debiut Szachownica Miejsce Nazwisko Vit Svart Rond Resultat Hvid
Sort Runde Dato Valkeat Mustat Kierros Bílý Černý Kolo Stůl Výsledek Datum Világos Sötét Forduló
Tábla Eredmény Alb Negru Runda Masa Rezultat Beli Crni Kolo Tabla Bijeli Datum Rezultat Beyaz Siyah
Tur Masa Sonuç Tarih Bílý Biely Čierny Blanques Negres Brancas CHESS Score Sheet Scoresheet Official
FIDE Federation Club Planilha Formulario Partieformular Feuille Zapis Formular Move Moves Nr
""".split()
