import { Controller, Get, Module, NotFoundException, Param } from '@nestjs/common';

const authors: Readonly<Record<string, string>> = { dune: 'Frank Herbert', emma: 'Jane Austen' };

/** A controller of Nest. */
@Controller('authors')
export class AuthorsController {
  @Get(':book')
  of(@Param('book') book: string): { author: string } {
    const author = authors[book];
    if (author === undefined) throw new NotFoundException(`nobody wrote ${book}`);
    return { author };
  }
}

@Module({ controllers: [AuthorsController] })
export class AuthorsModule {}
